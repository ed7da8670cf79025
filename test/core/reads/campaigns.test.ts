import { describe, expect, test } from 'vitest';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import { openDesktop } from '#test/core/connections/live-world.ts';
import { createWorld, findCampaign, ledgerVerified, proposeBid } from '#test/core/proposals/world.ts';
import { startFakeService } from '#test/servers/fake-service.ts';

const everything: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };

describe('the list of campaigns', () => {
  test('is the page that the service returned, with its age', async () => {
    const world = await createWorld({ campaigns: 30 });
    const page = await world.core.handlers['campaigns.page']({ filter: everything, page: 2, perPage: 10 });
    const wire = await world.other.list({ page: 2, perPage: 10, sort: 'cid', order: 'asc' });
    expect(page).toEqual({
      rows: wire.data,
      total: wire.total,
      page: 2,
      readAtMs: world.clock.nowMs(),
      cached: null,
    });
  });

  test('is at most the requested page, whatever the service returns', async () => {
    const fake = await startFakeService();
    const world = await openDesktop();
    const addresses = { baseUrl: fake.baseUrl, apiUrl: 'http://127.0.0.1:1', mcpUrl: 'http://127.0.0.1:1' };
    const profile = { name: 'Odd', zone: 'UTC', remoteAccess: 'oauth', ...addresses } as const;
    const { id } = await world.core.handlers['profiles.add'](profile);
    const { data: given } = await world.other.list({ page: 1, perPage: 5 });
    const data = { data: given, total: 900, currentPage: 1, totalPages: 5 };
    const body = JSON.stringify({ status: 'success', message: '', data });
    fake.answerWith({ kind: 'answer', status: 200, body });
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value: 'a-token' });
    await world.core.handlers['profiles.switch']({ id });
    const page = await world.core.handlers['campaigns.page']({ filter: everything, page: 3, perPage: 2 });
    expect(page).toMatchObject({ page: 3, total: 900, rows: given.slice(0, 2) });
    fake.answerWith({ kind: 'answer', status: 500, body: '{}' });
    const cached = await world.core.handlers['campaigns.page']({ filter: everything, page: 1, perPage: 200 });
    expect(cached.total).toBe(2);
  });

  test('is searched, filtered and sorted by the service', async () => {
    const world = await createWorld({ campaigns: 60 });
    const page = (filter: Partial<CampaignFilter>) =>
      world.core.handlers['campaigns.page']({ filter: { ...everything, ...filter }, page: 1, perPage: 200 });
    const row = await findCampaign(world, ({ status }) => status === 3);
    expect((await page({ query: String(row.cid) })).rows.map(({ cid }) => cid)).toEqual([row.cid]);
    const paused = await page({ status: 3, sort: 'payout', order: 'desc' });
    expect(new Set(paused.rows.map(({ status }) => status))).toEqual(new Set([3]));
    const bids = paused.rows.map(({ payout }) => payout);
    expect(bids).toEqual(bids.toSorted((left, right) => right - left));
    const [type] = await world.core.handlers['campaigns.types']({});
    const ofType = await page({ types: [type!.code] });
    expect(new Set(ofType.rows.map(({ type_name }) => type_name))).toEqual(new Set([type!.name]));
  });
});

test('a campaign is returned completely, with its limits and its waiting changes', async () => {
  const world = await createWorld();
  const { proposal, cid } = await proposeBid(world);
  const detail = await world.core.handlers['campaigns.get']({ cid });
  const { raw } = await world.other.get(cid);
  expect(detail).toEqual({
    edit: raw,
    readAtMs: world.clock.nowMs(),
    cached: null,
    lockedBy: null,
    waiting: [proposal.id],
  });
  await expect(world.core.handlers['campaigns.get']({ cid: 999_999_999 })).rejects.toMatchObject({
    code: 'campaign_not_found',
  });
});

test('the campaign types are those of the tenant, by code and name', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, () => true);
  const { campaign_types } = (await world.other.get(cid)).edit;
  expect(await world.core.handlers['campaigns.types']({})).toEqual(
    Object.entries(campaign_types).map(([code, { name }]) => ({ code: Number(code), name })),
  );
});

describe('the state of the service', () => {
  const state = async (world: Awaited<ReturnType<typeof createWorld>>): Promise<string> =>
    (await world.core.handlers['session.status']({})).service.state;
  const lists = (world: Awaited<ReturnType<typeof createWorld>>): number =>
    world.service.requestLog().filter(({ method }) => method === 'GET').length;

  test('is requested once, and again only when the last answer is old', async () => {
    const world = await createWorld();
    expect(await state(world)).toBe('ready');
    expect(await state(world)).toBe('ready');
    expect(lists(world)).toBe(1);
    world.clock.advance(10_001);
    expect(await state(world)).toBe('ready');
    expect(lists(world)).toBe(2);
  });

  test('is reported to the pages when it changes, not at every call', async () => {
    const world = await createWorld();
    await ledgerVerified(world);
    await state(world);
    const filter = { query: '', status: null, sort: 'cid', order: 'desc' } as const;
    const read = () =>
      world.core.handlers['campaigns.page']({ filter: { ...filter, types: [] }, page: 1, perPage: 1 });
    let reported = 0;
    world.core.subscribe(({ kind }) => void (reported += kind === 'status.changed' ? 1 : 0));
    await read();
    expect(reported).toBe(0);
    for (const status of [500, 500] as const) {
      world.service.faults.arm({ kind: 'answer', status, path: '/login/campaigns' });
      expect((await read()).cached).not.toBeNull();
    }
    expect(reported).toBe(1);
    await read();
    expect(reported).toBe(2);
  });

  test('is “signed out” if it refuses the token, and “unreachable” if it does not answer', async () => {
    const world = await createWorld({ requestMs: 2_500 });
    world.service.faults.arm({ kind: 'answer', status: 401, path: '/login/campaigns' });
    expect(await state(world)).toBe('signed-out');
    world.clock.advance(60_001);
    const answering = Promise.withResolvers<void>();
    world.service.faults.arm({ kind: 'meanwhile', path: '/login/campaigns', run: () => answering.promise });
    expect(await state(world)).toBe('unreachable');
    answering.resolve();
    await world.core.handlers['campaigns.types']({});
    expect(await world.core.handlers['session.status']({})).toMatchObject({
      service: { state: 'ready', checkedAtMs: world.clock.nowMs() },
      waiting: 0,
      unknown: 0,
      ledger: { state: 'verified' },
    });
  });
});
