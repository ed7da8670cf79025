import { expect, test, vi } from 'vitest';
import { createMovableClock } from '#core/platform/movable-clock.ts';
import { createRemoteClient } from '#core/service-client/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-11-23T06:00:00Z');

/** Real HTTP takes real time, whatever the clock says. */
const soon = { timeout: 20_000, interval: 20 };

async function openWorld() {
  const clock = createManualClock(startMs);
  const serviceClock = createMovableClock(clock);
  const world = await createWorld({ clock, serviceClock });
  const forward = (ms: number): void => {
    serviceClock.forward(ms);
    clock.advance(0);
  };
  return { world, serviceClock, forward };
}

const yesterdayByDay: AppInput<'reports.page'> = {
  query: {
    source: { kind: 'xml', tid: 7301 },
    range: { preset: 'yesterday' },
    comparison: { kind: 'none' },
    levels: ['date'],
    filters: [],
    sort: null,
    includeToday: false,
    search: '',
  } as unknown as AppInput<'reports.page'>['query'],
  expanded: [],
  offset: 0,
  limit: 50,
  read: 'missing',
};

async function reportOf({ core }: World): Promise<AppOutput<'reports.page'>> {
  await core.handlers['reports.page'](yesterdayByDay);
  return vi.waitFor(async () => {
    const page = await core.handlers['reports.page']({ ...yesterdayByDay, read: 'none' });
    expect(page.state.state).toBe('idle');
    expect(page.rows.length).toBeGreaterThan(0);
    return page;
  }, soon);
}

test('the service’s days come with its clock, and reports ask for them', async () => {
  const { world, forward } = await openWorld();
  expect((await reportOf(world)).range).toEqual({ from: '2026-11-22', to: '2026-11-22' });
  forward(3 * dayMs);
  expect((await reportOf(world)).range).toEqual({ from: '2026-11-25', to: '2026-11-25' });
});

test('changes go on after a jump of weeks: the core signs in again by itself, and its own time has not moved', async () => {
  const { world, forward } = await openWorld();
  const { handlers } = world.core;
  await handlers['schedules.list']({ read: true });
  for (let weeks = 0; weeks < 6; weeks += 1) forward(7 * dayMs);
  const proposal = await proposeBid(world);
  expect(proposal.createdAtMs).toBe(startMs);
  const { proposal: sent } = await world.approve(await world.look(proposal.id));
  expect(sent.state).toBe('verified');
  await handlers['schedules.list']({ read: true });
  await vi.waitFor(async () => {
    const { state, failure } = await handlers['schedules.list']({ read: false });
    expect({ state, failure }).toEqual({ state: 'idle', failure: null });
  }, soon);
});

test('a task runs, and a flight is over, by the service’s clock', async () => {
  const { world, forward } = await openWorld();
  const access = async (): Promise<string> => {
    const scopes = ['svc:read', 'svc:write', 'offline_access'] as const;
    return (await world.service.issueRemoteGrant({ account: 'buyer', scopes, isLasting: true })).accessToken;
  };
  const remote = createRemoteClient({
    mcpUrl: new URL(world.core.info.serviceUrl).origin,
    access: { token: access, renew: access },
    timeoutMs: 10_000,
    logger: silentLogger,
  });
  try {
    const { data } = await world.other.list({ page: 1, perPage: 1, status: 3 });
    const cid = data[0]?.cid ?? 0;
    world.service.editCampaign(cid, {
      enable_time: 1,
      expire: '2026-11-25',
      expire_time: '23:00',
    });
    const activation = { ids: [cid], status: 'active' };
    const warned = async (): Promise<string> =>
      JSON.stringify(await remote.callTool('svc_prepare_campaign_status', activation));
    expect(await warned()).not.toContain('flight ended');
    forward(7 * dayMs);
    expect(await warned()).toContain('flight');
  } finally {
    await remote.dispose();
  }
});
