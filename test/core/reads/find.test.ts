import { describe, expect, test } from 'vitest';
import type { AppOutput, CampaignFilter } from '#shared/app-api/index.ts';
import { rowLimit } from '#shared/campaign/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import { createWorld, findCampaign, proposeBid, type World } from '#test/core/proposals/world.ts';
import { giveCampaignAway } from '#test/servers/stores.ts';
import { eventually } from '#test/setup/eventually.ts';

const everything: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };

const find = (
  world: World,
  conditions: CampaignCondition[],
  change: Partial<CampaignFilter> = {},
  again = false,
): Promise<AppOutput<'campaigns.find'>> =>
  world.core.handlers['campaigns.find']({
    filter: { ...everything, ...change },
    conditions,
    page: 1,
    perPage: 200,
    again,
  });

async function loadAll(world: World): Promise<AppOutput<'campaigns.fullState'>> {
  await world.core.handlers['campaigns.loadFull']({ cids: null, again: false });
  return eventually(async () => {
    const state = await world.core.handlers['campaigns.fullState']({});
    expect(state.isRunning).toBe(false);
    return state;
  });
}

const gets = (world: World): number =>
  world.service.requestLog().filter(({ method }) => method === 'GET').length;

describe('a search by columns of the list', () => {
  test('finds matching campaigns of every page, in the order of the list', async () => {
    const world = await createWorld({ campaigns: 260 });
    const wire = [1, 2].map((page) => world.other.list({ page, perPage: 200, sort: 'cid', order: 'asc' }));
    const rows = (await Promise.all(wire)).flatMap(({ data }) => data);
    const wanted = rows.filter(
      ({ geo, status, daily_budget: limit }) =>
        geo.includes('BR') && (status === 1 || status === 3) && (limit > 40 || limit === 0),
    );
    const found = await find(world, [
      { kind: 'country', codes: ['BR'], orAll: false },
      { kind: 'status', statuses: [1, 3] },
      { kind: 'budget', column: 'd_revenue', is: 'above', amount: 40 },
    ]);
    expect(wanted.length).toBeGreaterThan(0);
    expect(found.rows.map(({ cid }) => cid)).toEqual(wanted.map(({ cid }) => cid));
    expect(found).toMatchObject({
      total: wanted.length,
      cached: null,
      coverage: { needsFull: false, total: 260, loaded: 0, unknown: 0 },
    });
  });

  test('reads the list once, and reports how many campaigns were read until it is complete', async () => {
    const world = await createWorld({ campaigns: 450 });
    const { handlers, subscribe } = world.core;
    const states: Promise<{ read: number | null }>[] = [];
    subscribe(
      ({ kind }) => kind === 'campaigns.searching' && states.push(handlers['campaigns.searchState']({})),
    );
    await find(world, [], { query: 'push brazil' });
    const reads = (await Promise.all(states)).map(({ read }) => read);
    expect(reads).toEqual([200, 400, 450, null]);
    await find(world, [], { query: 'push india' });
    expect(states).toHaveLength(reads.length);
  });

  test('filters and sorts budgets by the effective limit, and a budget that is switched off counts as unlimited', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid } = await findCampaign(world, (row) => row.daily_budget > 0 && row.daily_budget < 1e6);
    const { raw } = await world.other.get(cid);
    const off = { ...(raw['campaign'] as object), enable_budget: 0, d_revenue: 40, t_revenue: 400 };
    await world.other.update(cid, JSON.stringify(off));
    for (const column of ['d_revenue', 't_revenue'] as const) {
      const above = await find(world, [{ kind: 'budget', column, is: 'above', amount: 1e6 }]);
      const below = await find(world, [{ kind: 'budget', column, is: 'below', amount: 1e6 }]);
      expect(above.rows.map((row) => row.cid)).toContain(cid);
      expect(below.rows.map((row) => row.cid)).not.toContain(cid);
      expect(above.rows.every((row) => rowLimit(row, column) === Infinity)).toBe(true);
      for (const order of ['asc', 'desc'] as const) {
        const limits = (await find(world, [], { sort: column, order })).rows.map((row) =>
          rowLimit(row, column),
        );
        const rising = order === 'asc' ? limits : limits.toReversed();
        for (const [index, one] of rising.entries())
          expect(one).toBeGreaterThanOrEqual(rising[index - 1] ?? 0);
        expect(limits.at(order === 'asc' ? -1 : 0)).toBe(Infinity);
      }
    }
  });

  test('finds words in any order in names, types, countries and labels', async () => {
    const world = await createWorld({ campaigns: 120 });
    const { rows } = await find(world, []);
    const wanted = rows.filter(({ type_name, geo }) => /push/i.test(type_name) && geo.includes('BR'));
    expect(wanted.length).toBeGreaterThan(0);
    for (const query of ['push brazil', 'Brazil PUSH', 'brazil pus']) {
      const found = new Set((await find(world, [], { query })).rows.map(({ cid }) => cid));
      for (const { cid } of wanted) expect(found, query).toContain(cid);
      expect(found.size).toBeLessThan(rows.length);
    }
    const [first] = wanted;
    const label = { id: null, name: 'Client Ärmel', color: 'blue' } as const;
    const saved = await world.core.handlers['campaigns.saveLabel'](label);
    await world.core.handlers['campaigns.assignLabels']({ cids: [first!.cid], add: [saved.id], remove: [] });
    const labelled = await world.core.handlers['campaigns.foundIds']({
      filter: { ...everything, query: 'armel push' },
      conditions: [],
    });
    expect(labelled.items.map(({ cid }) => cid)).toEqual([first!.cid]);
  });

  test('reads the account again after five minutes, because campaigns also change elsewhere', async () => {
    const world = await createWorld({ campaigns: 30 });
    const { cid } = await findCampaign(world, () => true);
    await find(world, []);
    const { raw } = await world.other.get(cid);
    const campaign = { ...(raw['campaign'] as object), name: 'Changed elsewhere' };
    await world.other.update(cid, JSON.stringify(campaign));
    world.clock.advance(5 * 60_000);
    expect((await find(world, [], { query: 'elsewhere' })).total).toBe(0);
    world.clock.advance(1);
    expect((await find(world, [], { query: 'elsewhere' })).total).toBe(1);
  });

  test('can be combined with the text, status, types and order of the list', async () => {
    const world = await createWorld({ campaigns: 60 });
    const [type] = await world.core.handlers['campaigns.types']({});
    const change = { query: 'e', status: 1, types: [type!.code], sort: 'payout', order: 'desc' } as const;
    const byService = await world.core.handlers['campaigns.page']({
      filter: { ...everything, ...change, types: [type!.code] },
      page: 1,
      perPage: 200,
    });
    const everyName: CampaignCondition = { kind: 'name', is: 'lacks', text: 'no campaign has this' };
    const found = await find(world, [everyName], { ...change, types: [type!.code] });
    expect(found.rows.map(({ payout }) => payout)).toEqual(byService.rows.map(({ payout }) => payout));
    expect(new Set(found.rows.map(({ cid }) => cid))).toEqual(new Set(byService.rows.map(({ cid }) => cid)));
  });

  test('reads the account once, reads a campaign again after its change through the app, and all campaigns on Refresh', async () => {
    const world = await createWorld({ campaigns: 30 });
    const bids = [{ kind: 'bid', min: 0, max: null }] as CampaignCondition[];
    await find(world, bids);
    const once = gets(world);
    await find(world, bids, { sort: 'name' });
    expect(gets(world)).toBe(once);

    const { proposal, cid } = await proposeBid(world);
    await world.approve(await world.look(proposal.id));
    const written = gets(world);
    const { rows } = await find(world, bids);
    expect(gets(world)).toBe(written + 1);
    const { data } = await world.other.list({ query: String(cid), page: 1, perPage: 1 });
    expect(rows.find((row) => row.cid === cid)).toEqual(data[0]);

    const { cid: other } = await findCampaign(world, (row) => row.cid !== cid);
    const { raw } = await world.other.get(other);
    const campaign = { ...(raw['campaign'] as object), name: 'Changed elsewhere' };
    await world.other.update(other, JSON.stringify(campaign));
    const named = [{ kind: 'name', is: 'contains', text: 'changed elsewhere' }] as CampaignCondition[];
    expect((await find(world, named)).total).toBe(0);
    expect((await find(world, named, {}, true)).total).toBe(1);
  });

  test.each<[string, boolean, (world: World, cid: number) => Promise<unknown>]>([
    [
      'a change through the app',
      false,
      async (world, cid) => {
        const { proposal } = await proposeBid(world, 1.1, cid);
        await world.approve(await world.look(proposal.id));
      },
    ],
    [
      'Refresh after a change elsewhere',
      true,
      async (world, cid) => {
        const { raw } = await world.other.get(cid);
        const campaign = { ...(raw['campaign'] as object), name: 'Changed elsewhere' };
        await world.other.update(cid, JSON.stringify(campaign));
      },
    ],
  ])('reads again after a read that had already begun: %s', async (_what, again, change) => {
    const world = await createWorld({ campaigns: 30 });
    const all = [{ kind: 'bid', min: 0, max: null }] as CampaignCondition[];
    await find(world, all);
    const { cid } = await findCampaign(world, ({ status, payout }) => status === 1 && payout < 0.9);
    const { promise, resolve } = Promise.withResolvers<AppOutput<'campaigns.find'>[]>();
    world.service.faults.arm({
      kind: 'meanwhile',
      path: '/login/campaigns/campaigns',
      async run() {
        await change(world, cid);
        // Two searches share the next read.
        resolve(Promise.all([find(world, all, {}, again), find(world, all)]));
      },
    });
    await find(world, all, {}, true);
    const found = await promise;
    const { data } = await world.other.list({ query: String(cid), page: 1, perPage: 1 });
    for (const { rows } of found) expect(rows.find((row) => row.cid === cid)).toEqual(data[0]);
  });

  test('discards a campaign that no longer exists, so that it does not reappear during an outage', async () => {
    const world = await createWorld({ campaigns: 30 });
    const { rows } = await find(world, []);
    world.clock.advance(10_000);
    giveCampaignAway(world.folder, rows[0]?.cid ?? 0);
    await find(world, [], {}, true);
    world.service.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns/campaigns' });
    const page = { filter: everything, page: 1, perPage: 200 };
    const away = await world.core.handlers['campaigns.page'](page);
    expect(away.cached).not.toBeNull();
    expect(away.rows.map(({ cid }) => cid)).toEqual(rows.slice(1).map(({ cid }) => cid));
  });

  test('finds a campaign that moved to an earlier page because another one was deleted during the read', async () => {
    const world = await createWorld({ campaigns: 230 });
    const cids = async (): Promise<number[]> => {
      const found = await world.core.handlers['campaigns.foundIds']({ filter: everything, conditions: [] });
      return found.items.map(({ cid }) => cid);
    };
    const before = await cids();
    const run = (): void => giveCampaignAway(world.folder, before[0] ?? 0);
    world.service.faults.arm({ kind: 'meanwhile', path: '/login/campaigns/campaigns', run });
    await find(world, [], {}, true);
    expect(await cids()).toEqual(before.slice(1));
  });

  test('continues with cached rows during an outage, and says so', async () => {
    const world = await createWorld({ campaigns: 30 });
    const all = [{ kind: 'bid', min: 0, max: null }] as CampaignCondition[];
    const { total } = await find(world, all);
    world.service.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' });
    const away = await find(world, all, {}, true);
    expect(away.total).toBe(total);
    expect(away.cached).not.toBeNull();
  });
});

describe('a search that needs campaigns in full', () => {
  const noEnd: CampaignCondition = { kind: 'noEnd' };

  test('reports how much of the account it covers, and covers all of it once everything is loaded', async () => {
    const world = await createWorld({ campaigns: 40 });
    const before = await find(world, [noEnd, { kind: 'status', statuses: [1] }]);
    const active = await find(world, [{ kind: 'status', statuses: [1] }]);
    expect(before).toMatchObject({
      total: 0,
      coverage: { needsFull: true, total: 40, loaded: 0, unknown: active.total, oldestReadAtMs: null },
    });

    const state = await loadAll(world);
    expect(state).toMatchObject({ done: 40, total: 40, loaded: 40, failed: [], failure: null });
    const after = await find(world, [noEnd]);
    expect(after.coverage).toEqual({
      needsFull: true,
      total: 40,
      loaded: 40,
      unknown: 0,
      oldestReadAtMs: world.clock.nowMs(),
    });
    for (const { cid } of after.rows) {
      const { campaign } = (await world.other.get(cid)).edit;
      expect(campaign['enable_time'] === 1 && campaign['expire'] !== '').toBe(false);
    }
    expect(after.total).toBeGreaterThan(0);
  });

  test('reads a campaign again after it was changed through the app', async () => {
    const world = await createWorld({ campaigns: 12 });
    await loadAll(world);
    const { proposal, cid } = await proposeBid(world);
    const changed: number[] = [];
    world.core.subscribe((event) => {
      if (event.kind === 'campaigns.loading') changed.push(cid);
    });
    await world.approve(await world.look(proposal.id));
    await expect.poll(() => changed.length).toBeGreaterThan(0);
    expect((await find(world, [noEnd])).coverage.loaded).toBe(12);
  });

  test('can be stopped and keeps what was read', async () => {
    const world = await createWorld({ campaigns: 120 });
    await world.core.handlers['campaigns.loadFull']({ cids: null, again: false });
    await world.core.handlers['campaigns.stopLoading']({});
    const { isRunning, loaded } = await world.core.handlers['campaigns.fullState']({});
    expect(isRunning).toBe(false);
    expect(loaded).toBeLessThan(120);
    expect((await loadAll(world)).loaded).toBe(120);
  });

  test('suggests values for conditions', async () => {
    const world = await createWorld({ campaigns: 60 });
    const values = () => world.core.handlers['campaigns.values']({});
    expect(await values()).toEqual({ campaigns: 0, lists: {}, macros: [] });
    await find(world, []);
    const asked = gets(world);
    expect(Object.keys((await values()).lists)).toEqual(['geo']);
    expect(gets(world)).toBe(asked);
    await loadAll(world);
    const { campaigns, lists } = await values();
    expect(campaigns).toBe(60);
    const names = ['os', 'publisher_blocklist', 'keywords_blocklist'];
    expect(Object.keys(lists)).toEqual(expect.arrayContaining(names));
    expect(lists).not.toHaveProperty('shedule');
  });
});

test('selecting all results fixes their ids, with the statuses of their rows', async () => {
  const world = await createWorld({ campaigns: 250 });
  const { items, total } = await world.core.handlers['campaigns.foundIds']({
    filter: { ...everything, status: 3 },
    conditions: [],
  });
  expect(items).toHaveLength(total);
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set([3]));
  const { total: paused } = await world.other.list({ page: 1, perPage: 1, status: 3 });
  expect(total).toBe(paused);
});

test('one answer contains the last change through the app for each visible row', async () => {
  const world = await createWorld();
  const { proposal, cid } = await proposeBid(world);
  const { cid: other } = await findCampaign(world, (row) => row.cid !== cid);
  const last = () => world.core.handlers['campaigns.lastChanges']({ cids: [cid, other] });
  expect((await last()).items).toEqual([]);
  await world.approve(await world.look(proposal.id));
  await expect
    .poll(async () => (await world.core.handlers['proposals.get']({ id: proposal.id })).state)
    .toBe('verified');
  const [change] = (await world.core.handlers['campaigns.changes']({ cid })).items;
  const { id, title, state, by, atMs } = change!;
  expect((await last()).items).toEqual([{ cid, id, title, state, by, atMs }]);
});
