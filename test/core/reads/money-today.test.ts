import { describe, expect, test } from 'vitest';
import { createMoneyLine } from '#core/reads/money-today.ts';
import type { Connection } from '#core/connections/index.ts';
import { createCampaignCache } from '#core/reads/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { campaignRow } from '#test/servers/first-screen.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AppOutput, CampaignFilter, MoneyToday } from '#shared/app-api/index.ts';
import { runningNow } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { asAgent } from '#test/core/proposals/undo/agent-writes.ts';
import { campaignNow, changeElsewhere, createWorld, type World } from '#test/core/proposals/world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { eventually } from '#test/setup/eventually.ts';

const everything: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };
const hourMs = 3_600_000;
const quarterMs = hourMs / 4;

const moneyToday = ({ core }: World): Promise<MoneyToday> => core.handlers['money.today']({});

const readPage = ({ core }: World, perPage: number): Promise<AppOutput<'campaigns.page'>> =>
  core.handlers['campaigns.page']({ filter: everything, page: 1, perPage });

async function readAllInFull({ core }: World): Promise<void> {
  await core.handlers['campaigns.loadFull']({ cids: null, again: true });
  await eventually(async () =>
    expect((await core.handlers['campaigns.fullState']({})).isRunning).toBe(false),
  );
}

async function allCids(world: World): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data.map(({ cid }) => cid);
}

/** Sums cents over the service's full campaigns, and asks of each quarter of an hour left today whether the campaign runs. */
async function sumInAnotherWay(world: World): Promise<{ cents: number; unlimited: number[] }> {
  const nowMs = world.clock.nowMs();
  const hour = nowMs - (nowMs % hourMs);
  const midnight = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T24:00:00Z`);
  const quarters = Array.from(
    { length: (midnight - hour) / quarterMs },
    (_one, index) => hour + index * quarterMs,
  );
  const unlimited: number[] = [];
  let cents = 0;
  for (const cid of await allCids(world)) {
    const campaign = await campaignNow(world, cid);
    if (!quarters.some((atMs) => runningNow(campaign, { nowMs: atMs, serviceZone: 'UTC' }) === 'runs'))
      continue;
    const limits = limitsOf(campaign);
    if (limits.length === 0) unlimited.push(cid);
    else cents += Math.round(Math.min(...limits) * 100);
  }
  return { cents, unlimited };
}

function limitsOf({ enable_budget, d_revenue, t_revenue }: JsonObject): number[] {
  return enable_budget === 1 ? [Number(d_revenue), Number(t_revenue)].filter((amount) => amount > 0) : [];
}

const always = { enable_time: 0, enable_shedule: 0, enable_budget: 1, d_revenue: 40, t_revenue: 400 };

/** Changes running campaigns to the cases that a sum may get wrong. */
async function plant(world: World): Promise<void> {
  const { data } = await world.other.list({ page: 1, perPage: 200, status: 1, sort: 'cid', order: 'asc' });
  const planted = [
    { ...always, enable_budget: 0 },
    { ...always, enable_budget: 0, d_revenue: 0, t_revenue: 0 },
    { ...always, d_revenue: 70.55, t_revenue: 50.15 },
    { ...always, d_revenue: 33.33, t_revenue: 0 },
    {
      ...always,
      enable_time: 1,
      create: '2099-01-01',
      create_time: '00:00',
      expire: '2099-02-01',
      expire_time: '00:00',
    },
    { ...always, enable_shedule: 1, shedule: Array<number>(168).fill(0), shedule_timezone: 'UTC' },
  ];
  for (const [index, fields] of planted.entries()) await changeElsewhere(world, data[index]!.cid, fields);
}

test('an amount that could not be read is requested again, even if nothing has changed', async () => {
  let isAway = true;
  const zone = 'UTC';
  const line = createMoneyLine({
    connections: {
      current: () =>
        ({
          profile: { id: 'p', zone },
          today: () => ({ date: '2026-11-20', time: '12:00', zone }),
        }) as Connection,
    },
    campaignCache: {
      written: async () => {},
      budgets() {
        if (isAway) throw new AppError('storage_failed');
        return [];
      },
      total: () => null,
      version: () => 1,
    },
    full: { find: () => null },
    proposals: { waitingMoney: () => [], moneyOfAgents: () => [] },
    clock: systemClock,
  });
  await expect(line.today()).rejects.toMatchObject({ code: 'storage_failed' });
  isAway = false;
  expect(await line.today()).toMatchObject({ campaigns: null });
});

test('the rows of a large account are written in steps: a read in between is answered, and no figure is of a part', async () => {
  const folder = tempFolder();
  const store = openAppStore({ folder, clock: systemClock, logger: silentLogger });
  const cache = createCampaignCache({ store, clock: createManualClock(), logger: silentLogger });
  const zone = 'UTC';
  const connection = {
    profile: { id: 'p', zone },
    today: () => ({ date: '2026-11-20', time: '12:00', zone }),
  } as Connection;
  const line = createMoneyLine({
    connections: { current: () => connection },
    campaignCache: cache,
    full: { find: () => null },
    proposals: store.proposals,
    clock: systemClock,
  });
  const rowsFrom = (first: number): CampaignRow[] =>
    Array.from({ length: 4_500 }, (_one, index) => {
      const cid = first + index;
      const status = cid % 3 === 0 ? 3 : 1;
      return campaignRow(cid, { status, daily_budget: cid % 7, total_budget: 0 });
    });
  for (const first of [1, 3_001]) {
    const rows = rowsFrom(first);
    const cids = new Set(rows.map(({ cid }) => cid));
    const running = rows.filter(({ status }) => status === 1);
    const dollars = running.reduce((sum, { daily_budget }) => sum + daily_budget, 0);
    cache.keepAccount('p', rows);
    const asked = [line.today()];
    const written: number[] = [];
    const answered = { yet: false };
    void asked[0]?.then(() => (answered.yet = true));
    while (!answered.yet) {
      await new Promise((resolve) => setImmediate(resolve));
      written.push(store.campaignCache.rows('p').filter(({ cid }) => cids.has(cid)).length);
      asked.push(line.today());
    }
    expect(new Set(written).size).toBeGreaterThan(2);
    const unlimited = running.filter(({ daily_budget }) => daily_budget === 0).length;
    for (const { campaigns } of await Promise.all(asked))
      expect(campaigns).toMatchObject({ read: 4_500, atRiskMicros: `${dollars}000000`, unlimited });
  }
  await cache.dispose();
  await store.dispose();
});

describe('the money at risk today', () => {
  test('equals the sum over the service’s campaigns and the list that explains it, once all were read in full', async () => {
    const world = await createWorld({ campaigns: 60 });
    await plant(world);
    await readPage(world, 200);
    await readAllInFull(world);
    const { cents, unlimited } = await sumInAnotherWay(world);
    const { campaigns } = await moneyToday(world);
    expect(campaigns).toMatchObject({
      atRiskMicros: `${cents}0000`,
      unlimited: unlimited.length,
      read: 60,
      total: 60,
    });
    expect(cents).toBeGreaterThan(0);
    expect(unlimited.length).toBeGreaterThanOrEqual(2);

    const found = (limit: 'any' | 'none') =>
      world.core.handlers['campaigns.find']({
        filter: everything,
        conditions: [{ kind: 'spendsToday', limit }],
        page: 1,
        perPage: 200,
        again: false,
      });
    expect((await found('none')).rows.map(({ cid }) => cid)).toEqual(unlimited);
    const listed = (await found('any')).rows
      .filter(({ cid }) => !unlimited.includes(cid))
      .map((row) => Math.min(...[row.daily_budget, row.total_budget].filter((amount) => amount > 0)));
    expect(listed.reduce((sum, amount) => sum + Math.round(amount * 100), 0)).toBe(cents);
  });

  test('includes a campaign of which only the list row was read, whatever its flight', async () => {
    const world = await createWorld({ campaigns: 60 });
    await plant(world);
    await readPage(world, 200);
    const before = BigInt((await moneyToday(world)).campaigns!.atRiskMicros);
    await readAllInFull(world);
    const after = BigInt((await moneyToday(world)).campaigns!.atRiskMicros);
    expect(before - after).toBeGreaterThanOrEqual(80_000_000n);
  });

  test('states how much of the account was read and when, sends no request, and survives a restart', async () => {
    const world = await createWorld({ campaigns: 30 });
    expect((await moneyToday(world)).campaigns).toBeNull();
    const readAtMs = world.clock.nowMs();
    await readPage(world, 10);
    world.clock.advance(60_000);
    const requests = world.service.requestLog().length;
    const { campaigns } = await moneyToday(world);
    expect(campaigns).toMatchObject({ read: 10, total: 30, oldestReadAtMs: readAtMs });
    expect(world.service.requestLog()).toHaveLength(requests);
    const again = await world.restart();
    expect((await moneyToday(again)).campaigns).toEqual({ ...campaigns, total: null });
  });

  test('is zero once a pause is verified', async () => {
    const world = await createWorld({ campaigns: 12 });
    const { rows } = await readPage(world, 200);
    const cids = rows.filter(({ status }) => status === 1 || status === 4).map(({ cid }) => cid);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
    await world.approve(await world.look(id));
    await readPage(world, 200);
    expect((await moneyToday(world)).campaigns).toMatchObject({ atRiskMicros: '0', unlimited: 0 });
  });
});

describe('the amount that changes add', () => {
  async function proposeBudgets(world: World, raise: number): Promise<string> {
    const { data } = await world.other.list({ page: 1, perPage: 200, status: 1, sort: 'cid', order: 'asc' });
    const cid = data[0]!.cid;
    await changeElsewhere(world, cid, always);
    const { id } = await proposeUpdate(world.core.handlers, {
      cid,
      changes: [{ field: 'd_revenue', from: always.d_revenue, to: always.d_revenue + raise }],
    });
    return id;
  }

  test('counts while a change waits, and as added by agents for the rest of the service day', async () => {
    const world = await createWorld({ campaigns: 12 });
    const nothing = { micros: '0', unlimited: 0 };
    expect(await moneyToday(world)).toMatchObject({ waiting: nothing, byAgents: nothing });
    const id = await proposeBudgets(world, 12.5);
    const raised = { micros: '12500000', unlimited: 0 };
    expect(await moneyToday(world)).toMatchObject({ waiting: raised, byAgents: nothing });
    await world.approve(await world.look(id));
    expect(await moneyToday(world)).toMatchObject({ waiting: nothing, byAgents: nothing });
    asAgent(world, id, 'Ada');
    const { dayLeftMs, ...today } = await moneyToday(world);
    expect(today).toMatchObject({ waiting: nothing, byAgents: raised });
    world.clock.advance(dayLeftMs);
    expect(new Date(world.clock.nowMs()).toISOString()).toMatch(/T00:00:00.000Z$/);
    expect((await moneyToday(world)).byAgents).toEqual(nothing);
  });

  test('is never offset: a cut does not reduce a raise, and an unlimited budget is counted separately', async () => {
    const world = await createWorld({ campaigns: 12 });
    await proposeBudgets(world, -10);
    expect((await moneyToday(world)).waiting).toEqual({ micros: '0', unlimited: 0 });
    const { data } = await world.other.list({ page: 1, perPage: 200, status: 1, sort: 'cid', order: 'asc' });
    const cid = data[1]!.cid;
    await changeElsewhere(world, cid, always);
    await proposeUpdate(world.core.handlers, { cid, changes: [{ field: 'enable_budget', from: 1, to: 0 }] });
    expect((await moneyToday(world)).waiting).toEqual({ micros: '0', unlimited: 1 });
  });
});
