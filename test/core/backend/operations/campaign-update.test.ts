import { describe, expect, test } from 'vitest';
import { commitOf, openWorld } from './world.ts';
import type { World } from './world.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const tool = 'svc_prepare_campaign_update';

function running(world: World): number {
  const found = world.rows('buyer', 1).find(({ d_revenue, daily_budget, cid }) => {
    const { t_revenue, enable_time } = world.campaign('buyer', cid);
    return d_revenue > 0 && daily_budget > 0 && Number(t_revenue) > 0 && enable_time === 0;
  });
  return found?.cid ?? 0;
}

describe('a prepared campaign update', () => {
  test('shows the complete payload and its difference, and changes nothing', async () => {
    const world = openWorld();
    const cid = running(world);
    const before = world.campaign('buyer', cid);
    const budget = Number(before['d_revenue']) + 25;
    const prepared = await world.prepare(world.principal(), tool, {
      cid,
      changes: { d_revenue: budget, name: 'Autumn, second wave' },
    });
    expect(prepared.diff).toEqual([
      { field: 'name', from: before['name'], to: 'Autumn, second wave' },
      { field: 'd_revenue', from: before['d_revenue'], to: budget },
    ]);
    expect(prepared.payload).toEqual({ ...before, d_revenue: budget, name: 'Autumn, second wave' });
    expect(prepared.approval.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(prepared.approval.expiresAt).toBe(new Date(world.clock.nowMs() + 600_000).toISOString());
    expect(world.campaign('buyer', cid)).toEqual(before);
  });

  test('is stored completely by its commit and read back', async () => {
    const world = openWorld();
    const who = world.principal();
    const cid = running(world);
    const prepared = await world.prepare(who, tool, { cid, changes: { name: 'Renamed' } });
    const committed = await world.commit(who, prepared);
    expect(committed).toMatchObject({
      kind: 'campaign_update',
      target: `campaign:${cid}`,
      status: 'completed',
      verification: { stored: true, cid, differences: [] },
    });
    expect(world.campaign('buyer', cid)).toEqual(prepared.payload);
    expect(world.rows('buyer').find((row) => row.cid === cid)?.name).toBe('Renamed');
  });

  test('shows what the service would store, for example an emptied list', async () => {
    const world = openWorld();
    const who = world.principal();
    const cid = world.rows('buyer').find(({ geo }) => geo.length > 0)?.cid ?? 0;
    const prepared = await world.prepare(who, tool, { cid, changes: { geo_enabled: 1 } });
    expect(prepared.payload['geo']).toEqual([]);
    expect(prepared.diff.map(({ field }) => field).toSorted()).toEqual(['geo', 'geo_enabled']);
    expect(prepared.warnings).toContain('Targeting widens to all countries.');
    expect((await world.commit(who, prepared)).status).toBe('completed');
  });

  test('is refused if it names another campaign, changes nothing or repeats the stored value', async () => {
    const world = openWorld();
    const cid = running(world);
    const refused: [JsonObject, string, string[]][] = [
      [{ cid: 1 }, 'arguments_invalid', ['changes.cid']],
      [{}, 'nothing_to_change', []],
      [{ status: 1 }, 'nothing_to_change', []],
    ];
    for (const [changes, code, fields] of refused) {
      const refusal = await world.refusal(world.call(world.principal(), tool, { cid, changes }));
      expect([refusal.code, refusal.fields.map(({ field }) => field)]).toEqual([code, fields]);
    }
  });

  test('is refused in the same way for a foreign and a missing campaign', async () => {
    const world = openWorld();
    const [foreign] = world.rows('neighbour');
    const [one, other] = await Promise.all(
      [foreign?.cid ?? 0, 999_999].map((cid) =>
        world.refusal(world.call(world.principal(), tool, { cid, changes: { name: 'Mine' } })),
      ),
    );
    expect(one).toEqual(other);
    expect(one?.code).toBe('campaign_not_found');
  });
});

describe('the warnings of a prepared update', () => {
  test('say in plain words what becomes unlimited, and what has ended or is unknown', async () => {
    const world = openWorld();
    const cid = running(world);
    const over = { create: '2020-01-01', create_time: '00:00', expire: '2020-02-01', expire_time: '00:00' };
    const cases: [JsonObject, RegExp][] = [
      [{ t_revenue: 0 }, /total budget of 0 means unlimited/],
      [{ enable_budget: 0 }, /Budget limits are switched off/],
      [{ enable_budget: 0 }, /Nothing limits what this campaign can spend/],
      [{ name: 'Other' }, /Spend to date: not available/],
      [{ enable_time: 1, ...over }, /The flight of campaign \d+ is over/],
    ];
    for (const [changes, words] of cases) {
      const { warnings } = await world.prepare(world.principal(), tool, { cid, changes });
      expect(warnings.join('\n')).toMatch(words);
    }
  });

  test('name a tenfold bid, spending that starts, and the available money', async () => {
    const world = openWorld();
    const paused = world
      .rows('buyer', 3)
      .find(({ payout, type_name }) => type_name === 'Push' && payout < 0.2);
    const { warnings } = await world.prepare(world.principal(), tool, {
      cid: paused?.cid ?? 0,
      changes: { payout: Number(paused?.payout) * 10, status: 1 },
    });
    expect(warnings.join('\n')).toMatch(/10 times the current one/);
    expect(warnings.join('\n')).toMatch(/becomes active and can spend immediately/);
    expect(warnings).toContain('The account has $12,480.55 available.');
  });
});

test('reports a field that another user changes right after the write', async () => {
  const world = openWorld();
  const who = world.principal();
  const cid = running(world);
  const prepared = await world.prepare(who, tool, { cid, changes: { name: 'Renamed' } });
  const committing = world.call(who, 'svc_commit', commitOf(prepared));
  // This code runs after the write and before the service reads the result.
  world.service.store.transaction(() => world.service.store.write.setStatus([cid], 3));
  expect(await committing).toMatchObject({
    status: 'partial',
    verification: { stored: false, differences: [{ field: 'status', committed: 1, stored: 3 }] },
  });
});
