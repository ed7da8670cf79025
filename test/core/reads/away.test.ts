import { describe, expect, test } from 'vitest';
import type { AppOutput, CampaignFilter } from '#shared/app-api/index.ts';
import { needsAccount } from '#shared/find/index.ts';
import { changeElsewhere, createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { eventually } from '#test/setup/eventually.ts';

const everything: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };

/** Requests a page of the list as the app does. The core itself searches for words. */
function pageOf(
  world: World,
  change: Partial<CampaignFilter> = {},
  page = 1,
  perPage = 200,
): Promise<AppOutput<'campaigns.page'>> {
  const wanted = { filter: { ...everything, ...change }, page, perPage };
  return needsAccount(wanted.filter)
    ? world.core.handlers['campaigns.find']({ ...wanted, conditions: [], again: true })
    : world.core.handlers['campaigns.page'](wanted);
}

/** Reads twice: with the service available, and with every request refused. */
async function bothWays(
  world: World,
  filter: Partial<CampaignFilter>,
): Promise<AppOutput<'campaigns.page'>[]> {
  const there = await pageOf(world, filter);
  return [there, await whileAway(world, () => pageOf(world, filter))];
}

/** Makes the service unavailable for one read, including its retries. */
async function whileAway<T>(world: World, read: () => Promise<T>): Promise<T> {
  const disarm = Array.from({ length: 8 }, () =>
    world.service.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' }),
  );
  try {
    return await read();
  } finally {
    for (const end of disarm) end();
  }
}

describe('while the service is unreachable, the list shows the campaigns that were read', () => {
  test('with the age of the oldest row, the reason and a remedy', async () => {
    const world = await createWorld({ campaigns: 30 });
    await pageOf(world, {}, 1, 10);
    const firstReadMs = world.clock.nowMs();
    world.clock.advance(60_000);
    await pageOf(world, {}, 2, 10);
    const cached = await whileAway(world, () => pageOf(world));
    expect(cached).toMatchObject({ total: 20, page: 1, readAtMs: firstReadMs });
    expect(cached.rows.map(({ cid }) => cid)).toEqual(
      cached.rows.map(({ cid }) => cid).toSorted((a, b) => a - b),
    );
    expect(cached.cached).toEqual({ because: expect.stringContaining('service'), next: expect.any(String) });
    expect((await pageOf(world)).cached).toBeNull();
  });

  test('with the same search, filters, order and pages as from the service', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, name } = await findCampaign(world, () => true);
    await changeElsewhere(world, cid, { name: `${name} Cafe\u0301` });
    await pageOf(world);
    // The names of types are part of a full campaign.
    const { edit } = await world.core.handlers['campaigns.get']({ cid });
    const wanted: Partial<CampaignFilter>[] = [
      { query: String(cid) },
      { query: name.slice(0, 4).toUpperCase() },
      { query: 'CAFÉ' },
      { query: 'cafe' },
      { status: 3 },
      { types: [Number(Object.keys(edit.campaign_types)[0])] },
      { sort: 'payout', order: 'desc' },
      { sort: 'name', order: 'asc' },
      { sort: 'd_revenue', order: 'desc' },
      { query: 'push brazil' },
      { query: 'nothing is called this' },
    ];
    for (const filter of wanted) {
      const [there, away] = await bothWays(world, filter);
      expect(away?.total, JSON.stringify(filter)).toBe(there?.total);
      expect(new Set(away?.rows.map((row) => row.cid))).toEqual(new Set(there?.rows.map((row) => row.cid)));
    }
    const sorted = await bothWays(world, { sort: 'payout', order: 'desc' });
    expect(sorted[1]?.rows.map(({ payout }) => payout)).toEqual(sorted[0]?.rows.map(({ payout }) => payout));
    const second = await whileAway(world, () => pageOf(world, {}, 2, 25));
    expect(second.rows.map((row) => row.cid)).toEqual(
      (await pageOf(world, {}, 2, 25)).rows.map((row) => row.cid),
    );
  });

  test('after a restart as well, and opened campaigns completely', async () => {
    const world = await createWorld({ campaigns: 12 });
    const listed = await pageOf(world);
    const { cid } = await findCampaign(world, () => true);
    const read = await world.core.handlers['campaigns.get']({ cid });
    const again = await world.restart();
    const [list, campaign] = await whileAway(
      again,
      async () => [await pageOf(again), await again.core.handlers['campaigns.get']({ cid })] as const,
    );
    expect(list.rows).toEqual(listed.rows);
    expect(campaign).toEqual({ ...read, cached: expect.objectContaining({ because: expect.any(String) }) });
    const never = listed.rows.find((row) => row.cid !== cid)!.cid;
    await expect(
      whileAway(again, () => again.core.handlers['campaigns.get']({ cid: never })),
    ).rejects.toMatchObject({ code: 'service_failed' });
  });

  test('but not if nothing was read, and never in place of the service’s own answer', async () => {
    const world = await createWorld({ campaigns: 6 });
    await expect(whileAway(world, () => pageOf(world))).rejects.toMatchObject({ code: 'service_failed' });
    await pageOf(world);
    world.service.faults.arm({ kind: 'answer', status: 403, path: '/login/campaigns' });
    await expect(pageOf(world)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('immediately once the outage is known, so that a search does not wait for an unanswered call', async () => {
    const world = await createWorld({ campaigns: 6, requestMs: 5_000 });
    const { rows } = await pageOf(world);
    await whileAway(world, () => pageOf(world));
    const [hanging] = rows;
    const answered = Promise.withResolvers<void>();
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'GET',
      path: '/login/campaigns',
      run: () => answered.promise,
    });
    const searching = pageOf(world, { query: String(hanging?.cid) });
    await eventually(() => expect(world.service.faults.armed).toBe(0));
    world.clock.advance(300);
    expect(await searching).toMatchObject({
      total: 1,
      cached: { because: 'The service cannot be reached.' },
    });

    const reported = new Promise((resolve) =>
      world.core.subscribe(({ kind }) => kind === 'campaigns.changed' && resolve(kind)),
    );
    answered.resolve();
    expect(await reported).toBe('campaigns.changed');
    expect((await pageOf(world)).cached).toBeNull();
  });

  test('and no change can be proposed from them', async () => {
    const world = await createWorld({ campaigns: 6 });
    const { rows } = await pageOf(world);
    const proposing = whileAway(world, () =>
      world.core.handlers['campaigns.proposeStatus']({ cids: [rows[0]!.cid], status: 3 }),
    );
    await expect(proposing).rejects.toMatchObject({ code: 'service_failed' });
    expect(world.puts()).toBe(0);
  });
});
