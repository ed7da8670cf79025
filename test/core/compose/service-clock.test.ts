import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { createMovableClock } from '#core/platform/clock.ts';
import { createRemoteClient } from '#core/service-client/index.ts';
import type { AppOutput, ScheduleView } from '#shared/app-api/index.ts';
import { checked, draft } from '#test/core/drafts/drafts-of.ts';
import { campaignNow, createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';
import { query } from '#test/core/reports/publisher-service.ts';
import { createTaskClient } from '#test/servers/task-client.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { eventually } from '#test/setup/eventually.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-23T06:00:00Z');

async function openWorld() {
  const clock = createManualClock(startMs);
  const serviceClock = createMovableClock(clock);
  const world = await createWorld({ clock, serviceClock, days: 7 });
  const forward = (ms: number): void => {
    serviceClock.forward(ms);
    clock.advance(0);
  };
  return { world, clock, forward };
}

async function reportOf({ core }: World): Promise<AppOutput<'reports.page'>> {
  const { tids } = await core.handlers['reports.sources']({});
  const source = { kind: 'xml', tid: tids[0] ?? 0 } as const;
  const asked = {
    query: query({ source, levels: ['date'], range: { preset: 'yesterday' } }),
    expanded: [],
    offset: 0,
    limit: 50,
  };
  await core.handlers['reports.page']({ ...asked, read: 'missing' });
  return eventually(async () => {
    const page = await core.handlers['reports.page']({ ...asked, read: 'none' });
    expect(page.state.state).toBe('idle');
    expect(page.rows.length).toBeGreaterThan(0);
    return page;
  });
}

/**
 * Waits until the only schedule fits, reading it again each time. Time passes meanwhile, because a report waits a minute if
 * the statistics are not made yet.
 */
async function untilTask(
  { core, clock }: World,
  fits: (task: ScheduleView | undefined) => boolean,
): Promise<ScheduleView | undefined> {
  return eventually(async () => {
    clock.advance(1_000);
    const { state, tasks } = await core.handlers['schedules.list']({ read: true });
    expect(state !== 'failed' && fits(tasks[0])).toBe(true);
    return tasks[0];
  });
}

test('reports use the days of the service’s clock', async () => {
  const { world, forward } = await openWorld();
  expect((await reportOf(world)).range).toEqual({ from: '2026-11-22', to: '2026-11-22' });
  forward(3 * dayMs);
  expect((await reportOf(world)).range).toEqual({ from: '2026-11-25', to: '2026-11-25' });
});

test('changes work after the service’s clock moved by weeks: the core signs in again, and its own time is unchanged', async () => {
  const { world, forward } = await openWorld();
  const { handlers } = world.core;
  await handlers['schedules.list']({ read: true });
  for (let weeks = 0; weeks < 6; weeks += 1) forward(7 * dayMs);
  const { proposal } = await proposeBid(world);
  expect(proposal.createdAtMs).toBe(startMs);
  expect((await world.approve(await world.look(proposal.id))).proposal.state).toBe('verified');
  await handlers['schedules.list']({ read: true });
  await eventually(async () => {
    const { state, failure } = await handlers['schedules.list']({ read: false });
    expect({ state, failure }).toEqual({ state: 'idle', failure: null });
  });
});

test('a schedule runs when the service’s clock passes its time', async () => {
  const { world, forward } = await openWorld();
  const { handlers } = world.core;
  const { tids } = await handlers['reports.sources']({});
  const schedule = { type: 'daily', time: '09:00', timezone: 'Etc/UTC' } as const;
  const parameters = {
    report: 'xml',
    tid: tids[0] ?? 0,
    groupBy: 'geo',
    lastDays: 2,
    format: 'csv',
  } as const;
  const task = { kind: 'report_export', name: 'Morning report', schedule, parameters } as const;
  const proposed = await handlers['schedules.proposeReport']({ task });
  await world.approve(await world.look(proposed.id));
  forward(dayMs);
  const ran = await untilTask(world, (found) => found?.lastRun?.outcome === 'stored');
  expect(ran?.lastRun).toMatchObject({ dueAtMs: Date.parse('2026-11-23T09:00:00Z'), missed: 0 });
  expect(ran?.nextDueAtMs).toBe(Date.parse('2026-11-24T09:00:00Z'));
});

test('a flight ends by the service’s clock', async () => {
  const { world, forward } = await openWorld();
  const token = async (): Promise<string> =>
    (await world.service.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read', 'svc:write'] }))
      .accessToken;
  const remote = createRemoteClient({
    mcpUrl: new URL(world.core.info.serviceUrl).origin,
    access: { token, renew: token },
    timeoutMs: 10_000,
    logger: silentLogger,
  });
  onTestFinished(() => remote.dispose());
  const { data } = await world.other.list({ page: 1, perPage: 1, status: 3 });
  const cid = data[0]?.cid ?? 0;
  const flight = { create: '2026-11-20', create_time: '00:00', expire: '2026-11-25', expire_time: '23:00' };
  world.service.editCampaign(cid, { enable_time: 1, ...flight });
  const prepared = async (): Promise<string> => {
    const change = { ids: [cid], status: 'active' };
    return JSON.stringify(await remote.callTool('svc_prepare_campaign_status', change));
  };
  expect(await prepared()).not.toContain('is over');
  forward(7 * dayMs);
  expect(await prepared()).toContain(`The flight of campaign ${cid} is over`);
});

test('running campaigns are found by the service’s clock', async () => {
  const { world, forward } = await openWorld();
  const { handlers } = world.core;
  const { data } = await world.other.list({ page: 1, perPage: 1, status: 1 });
  const cid = data[0]?.cid ?? 0;
  const flight = { create: '2026-11-20', create_time: '00:00', expire: '2026-11-25', expire_time: '23:00' };
  world.service.editCampaign(cid, { enable_time: 1, enable_shedule: 0, ...flight });
  await handlers['campaigns.loadFull']({ cids: null, again: false });
  await eventually(async () => expect((await handlers['campaigns.fullState']({})).isRunning).toBe(false));
  const running = async (): Promise<number[]> => {
    const { rows } = await handlers['campaigns.find']({
      filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
      conditions: [{ kind: 'runsNow', runs: true }],
      page: 1,
      perPage: 200,
      again: true,
    });
    return rows.map((row) => row.cid);
  };
  expect(await running()).toContain(cid);
  forward(7 * dayMs);
  expect(await running()).not.toContain(cid);
});

test('money at risk, the hours of the next week and the page’s current time use the service’s days', async () => {
  const { world, clock, forward } = await openWorld();
  const { handlers } = world.core;
  expect(await handlers['session.get']({})).not.toHaveProperty('serviceAheadMs');
  const { data } = await world.other.list({ page: 1, perPage: 1, status: 1 });
  const cid = data[0]?.cid ?? 0;
  const flight = { create: '2026-11-20', create_time: '00:00', expire: '2026-11-25', expire_time: '23:00' };
  world.service.editCampaign(cid, { enable_time: 1, enable_shedule: 0, enable_budget: 1, ...flight });
  const { payout } = await campaignNow(world, cid);
  const hoursLeft = async (): Promise<number | null> => {
    return (await checked(world, cid)).forecast?.hoursNextWeek ?? null;
  };
  await draft(world, cid, { payout: Number((Number(payout) * 1.1).toFixed(4)) });
  expect(await hoursLeft()).toBe(65);
  const { cid: other, proposal: before } = await proposeBid(world);
  expect(other).not.toBe(cid);

  clock.advance(1_000);
  forward(7 * dayMs);
  clock.advance(1_000);
  expect(await handlers['session.get']({})).toMatchObject({ serviceAheadMs: 7 * dayMs });
  expect(await hoursLeft()).toBe(0);
  const { proposed } = await handlers['drafts.propose']({ cids: [cid] });
  const { risk } = await handlers['proposals.get']({ id: proposed[0]?.proposalId ?? '' });
  expect(risk.untilEnd.after.text).toBe('$0.00');
  // An earlier proposal keeps the risk that it showed.
  expect((await handlers['proposals.get']({ id: before.id })).risk).toEqual(before.risk);
});

test('a due change is proposed for as long as its approval is valid by the service’s clock', async () => {
  const { world, forward } = await openWorld();
  const { handlers } = world.core;
  const { data } = await world.other.list({ page: 1, perPage: 1, status: 1 });
  const client = createTaskClient(world.service, world.core.info.serviceUrl);
  onTestFinished(() => client.dispose());
  await client.pauseEveryMorning(data[0]?.cid ?? 0);
  forward(dayMs);
  await expect.poll(client.states).toEqual(['due']);
  // The approval expires when the task is due again, at 08:00 UTC.
  forward(2 * 3_600_000 - 25_000);
  const late = await untilTask(world, (found) => found?.due !== null && found?.due !== undefined);
  expect(late?.due?.stage).toBe('too-late');
  const { total } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 });
  expect(total).toBe(0);
});
