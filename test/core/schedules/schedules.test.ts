import { describe, expect, onTestFinished, test } from 'vitest';
import { everyRow, type ProposalView, type SchedulesView, type ScheduleView } from '#shared/app-api/index.ts';
import type { ReportTask } from '#shared/contract/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import {
  finishInBrowser,
  inputFor,
  isOver,
  openDesktop,
  openLive,
  untilSignIn,
} from '#test/core/connections/live-world.ts';
import { createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { leaveProposal } from '#test/servers/stores.ts';
import { createTaskClient } from '#test/servers/task-client.ts';
import { eventually } from '#test/setup/eventually.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const startMs = Date.parse('2026-11-23T06:00:00Z');

const list = (world: World, read = false): Promise<SchedulesView> =>
  world.core.handlers['schedules.list']({ read });

/** Returns the tasks after a new read, once they fit. Uses `eventually`, because HTTP takes real time on a manual clock. */
async function untilTasks(
  world: World,
  fits: (tasks: readonly ScheduleView[]) => boolean,
): Promise<ScheduleView[]> {
  await list(world, true);
  await eventually(async () => {
    const { state, tasks } = await list(world);
    // A read that was running when the clock moved has timed out.
    if (state === 'failed' || (state === 'idle' && !fits(tasks))) await list(world, true);
    expect(state === 'idle' && fits(tasks)).toBe(true);
  });
  return (await list(world)).tasks;
}

async function approve(world: World, id: string): Promise<ProposalView> {
  const display = await world.look(id);
  return (await world.approve(display)).proposal;
}

async function waitingOne(world: World): Promise<ProposalView> {
  const { handlers } = world.core;
  return eventually(async () => {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
    expect(items).toHaveLength(1);
    return handlers['proposals.get']({ id: items[0]?.id ?? '' });
  });
}

/** Starts a service with three days of statistics, and a desktop with a profile that is signed in with these scopes. */
async function openSignedIn(scopes: ('svc:write' | 'offline_access')[]) {
  const clock = createManualClock(startMs);
  const live = await openLive({ clock });
  const world = await openDesktop({ clock });
  const { id } = await world.core.handlers['profiles.add'](inputFor(live, { zone: 'Europe/Berlin' }));
  await world.core.handlers['profiles.switch']({ id });
  await signIn(world, live, { id, scopes });
  return { world, live, profileId: id };
}

async function signIn(
  world: World,
  live: RunningBackend,
  { id, scopes }: { id: string; scopes: ('svc:write' | 'offline_access')[] },
): Promise<void> {
  await world.core.handlers['signIn.start']({ profileId: id, scopes });
  const waiting = await untilSignIn(world, ({ state }) => state === 'waiting');
  await finishInBrowser(waiting, live);
  expect((await untilSignIn(world, isOver)).state).toBe('done');
}

function daily(live: RunningBackend): ReportTask {
  return {
    kind: 'report_export',
    name: 'Morning report',
    schedule: { type: 'daily', time: '09:00', timezone: 'Europe/Berlin' },
    parameters: {
      report: 'xml',
      tid: live.credentials.accounts.buyer.publisherKeys[0]?.tids[0] ?? 0,
      groupBy: 'geo',
      lastDays: 2,
      format: 'csv',
    },
  };
}

/** Adds a task that pauses a running campaign every morning, through a second client with the app's own sign-in. */
async function pauseEveryMorning(world: World): Promise<{ cid: number; cancel(): Promise<void> }> {
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const client = createTaskClient(world.service, world.core.info.serviceUrl);
  onTestFinished(() => client.dispose());
  const taskId = await client.pauseEveryMorning(cid);
  return { cid, cancel: () => client.cancel(taskId) };
}

describe('a scheduled report', () => {
  test('is created, runs and is cancelled, each through a proposal that a person approves and that is verified', async () => {
    const { world, live } = await openSignedIn(['svc:write', 'offline_access']);
    const { handlers } = world.core;
    const proposed = await handlers['schedules.proposeReport']({ task: daily(live) });
    expect(proposed).toMatchObject({
      operation: 'tool.call',
      proposedBy: { kind: 'person', name: 'You' },
      detail: { known: 'task', effect: 'stated', prepared: true },
      warnings: [],
      typeToConfirm: null,
      risk: { perDay: { after: { text: '$0.00' } } },
    });
    expect(proposed.title).toMatch(
      /^Schedule a report “Morning report”: XML traffic of source \d+ by country, the 2 days before, as CSV\. Every day at 09:00 \(Europe\/Berlin\)$/,
    );
    const reported = Object.fromEntries(proposed.changes.map(({ label, after }) => [label, after]));
    expect(reported['First runs']).toBe(
      'Mon 23 Nov 2026, 08:00 UTC; Tue 24 Nov 2026, 08:00 UTC; Wed 25 Nov 2026, 08:00 UTC',
    );
    expect(reported['Duration']).toBe('Until it is cancelled, or the sign-in that made it ends');
    // No task exists at the service before the decision.
    expect(await untilTasks(world, () => true)).toEqual([]);

    const made = await approve(world, proposed.id);
    expect([made.state, made.verdicts.map(({ verdict }) => verdict)]).toEqual([
      'verified',
      ['stored', 'stored'],
    ]);
    const [task] = await untilTasks(world, ({ length }) => length === 1);
    expect(task).toMatchObject({
      name: 'Morning report',
      kind: 'report',
      state: 'active',
      nextDueAtMs: Date.parse('2026-11-23T08:00:00Z'),
      lastRun: null,
      createdBy: { kind: 'person', proposalId: proposed.id },
    });

    world.clock.advance(2 * 60 * minuteMs + 5_000);
    const [after] = await untilTasks(world, ([one]) => one?.lastRun?.outcome === 'stored');
    expect(after?.lastRun).toMatchObject({ dueAtMs: Date.parse('2026-11-23T08:00:00Z'), missed: 0 });
    expect(after?.lastRun?.rows).toBeGreaterThan(0);
    expect(after?.lastRun?.fileName).toBe('morning-report-2026-11-23.csv');
    const { text } = await handlers['schedules.file']({ id: after?.id ?? '' });
    expect(Buffer.byteLength(text)).toBe(after?.lastRun?.bytes);
    expect(text.trimEnd().split('\n')).toHaveLength((after?.lastRun?.rows ?? 0) + 1);
    await expect(handlers['schedules.file']({ id: 'another' })).rejects.toMatchObject({
      code: 'object_not_found',
    });

    const cancel = await handlers['schedules.proposeCancel']({ id: task?.id ?? '' });
    expect(cancel.title).toMatch(/^Cancel schedule “Morning report”: XML traffic .+ Every day at 09:00/);
    expect((await approve(world, cancel.id)).state).toBe('verified');
    const [gone] = await untilTasks(world, ([one]) => one?.state === 'cancelled');
    expect(gone?.history.map(({ proposalId, state }) => [proposalId, state])).toEqual([
      [cancel.id, 'verified'],
      [proposed.id, 'verified'],
    ]);
  });

  test('that is denied changes nothing at the service, and a wrong source is refused at its field', async () => {
    const { world, live } = await openSignedIn(['svc:write', 'offline_access']);
    const { handlers } = world.core;
    const { id } = await handlers['schedules.proposeReport']({ task: daily(live) });
    await world.deny(await world.look(id));
    expect(await untilTasks(world, () => true)).toEqual([]);
    const foreign = daily(live);
    await expect(
      handlers['schedules.proposeReport']({
        task: { ...foreign, parameters: { report: 'search', sid: 1, lastDays: 1, format: 'json' } },
      }),
    ).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('not open to this') as string,
    });
    await expect(
      handlers['schedules.proposeReport']({
        task: { ...foreign, schedule: { type: 'once', at: '2026-11-22T09:00:00Z' } },
      }),
    ).rejects.toMatchObject({
      code: 'tool_refused',
      fields: [expect.objectContaining({ field: 'schedule.at' }) as object],
    });
  });

  test('needs a sign-in with write and offline access, and the page shows what is missing', async () => {
    const { world, live, profileId } = await openSignedIn([]);
    const { handlers } = world.core;
    expect(await list(world)).toMatchObject({ access: 'ready', missing: ['svc:write', 'offline_access'] });
    const task = daily(live);
    await expect(handlers['schedules.proposeReport']({ task })).rejects.toMatchObject({
      code: 'scope_needed',
    });
    await signIn(world, live, { id: profileId, scopes: ['svc:write', 'offline_access'] });
    expect(await list(world)).toMatchObject({ access: 'ready', missing: [] });
    expect((await handlers['schedules.proposeReport']({ task })).state).toBe('proposed');
    await handlers['profiles.signOut']({ id: profileId }).catch(() => null);
  });
});

describe('a due change of a schedule', () => {
  test('becomes one proposal by itself, with the complete change and its money, and is sent once approved', async () => {
    const world = await createWorld({ clock: createManualClock(startMs) });
    const { cid } = await pauseEveryMorning(world);
    const [task] = await untilTasks(world, ({ length }) => length === 1);
    expect(task).toMatchObject({
      name: 'Quiet “mornings”',
      kind: 'change',
      what: `Set campaign ${cid} to Paused, after an approval each time`,
      createdBy: { kind: 'unknown' },
    });
    world.clock.advance(2 * 60 * minuteMs + 5_000);
    const due = await waitingOne(world);
    expect(due).toMatchObject({
      proposedBy: { kind: 'schedule', name: 'Quiet “mornings”' },
      detail: { known: 'status', effect: 'stated', prepared: true },
      targets: [{ cid, statusBefore: 1, statusAfter: 3 }],
      // Half a minute before the service's approval, which lasts a day, expires.
      expiresAtMs: Date.parse('2026-11-24T08:00:00Z') - 30_000,
    });
    expect(due.risk.notes.join(' ')).toContain('If you deny it, nothing is sent');
    expect(due.risk.perDay.after.text).toBe('$0.00');
    await untilTasks(world, ([one]) => one?.due?.proposalId === due.id && one.due.stage === 'waiting');
    expect((await waitingOne(world)).id).toBe(due.id);

    expect((await approve(world, due.id)).state).toBe('verified');
    expect((await world.other.get(cid)).edit.campaign['status']).toBe(3);
    await untilTasks(world, ([one]) => one?.lastRun?.outcome === 'committed' && one.due === null);
    const { items } = await world.core.handlers['ledger.list']({
      beforeSeq: null,
      limit: 50,
      filter: { ...everyRow, proposalId: due.id },
    });
    expect(items.at(-1)).toMatchObject({ actor: 'Schedule “Quiet "mornings"”' });
  });

  test('becomes a proposal when its own profile is active again', async () => {
    const world = await openDesktop({ clock: createManualClock(startMs) });
    const { handlers } = world.core;
    await pauseEveryMorning(world);
    const away = 'http://127.0.0.1:9';
    const { id } = await handlers['profiles.add']({
      name: 'Meridian',
      zone: 'UTC',
      baseUrl: `${away}/api/v1`,
      apiUrl: away,
      mcpUrl: away,
      remoteAccess: 'oauth',
    });
    await handlers['profiles.switch']({ id });
    world.clock.advance(2 * 60 * minuteMs + 5_000);
    const waiting = { which: 'waiting', before: null, limit: 10 } as const;
    expect((await handlers['proposals.list'](waiting)).items).toEqual([]);
    await handlers['profiles.switch']({ id: 'demo' });
    world.clock.advance(1_000);
    const { proposedBy } = await waitingOne(world);
    expect(proposedBy).toMatchObject({ kind: 'schedule', name: 'Quiet “mornings”' });
  });

  test('that was denied is not proposed again before its next due time', async () => {
    const world = await createWorld({ clock: createManualClock(startMs) });
    await pauseEveryMorning(world);
    await untilTasks(world, ({ length }) => length === 1);
    world.clock.advance(2 * 60 * minuteMs + 5_000);
    const first = await waitingOne(world);
    await world.deny(await world.look(first.id));
    world.clock.advance(10 * minuteMs);
    const [task] = await untilTasks(world, ([one]) => one?.state === 'due');
    expect(task?.due).toMatchObject({ stage: 'denied', proposalId: first.id });
    expect(
      (await world.core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 })).items,
    ).toEqual([]);
    world.clock.advance(dayMs);
    await untilTasks(world, ([one]) => one?.due !== null && one?.due.proposalId !== first.id);
    expect((await waitingOne(world)).id).not.toBe(first.id);
  });

  test.each([
    ['approved', 'withdrawn', 'stopped_before_sending'],
    ['intent', 'refused', 'write_not_stored'],
  ] as const)(
    'that was %s when the app was killed waits again with the same approval, and is sent once',
    async (left, end, code) => {
      const world = await createWorld({ clock: createManualClock(startMs), requestMs: minuteMs });
      const { cid } = await pauseEveryMorning(world);
      await untilTasks(world, ({ length }) => length === 1);
      world.clock.advance(2 * 60 * minuteMs + 5_000);
      const first = await waitingOne(world);
      await world.core.dispose();
      leaveProposal(world.folder, first.id, {
        state: left,
        intentAtMs: left === 'approved' ? null : world.clock.nowMs(),
      });
      const restarted = await world.restart();
      const { handlers } = restarted.core;
      restarted.clock.advance(2 * minuteMs);
      await eventually(async () => {
        const settled = await handlers['proposals.settle']({ id: first.id });
        expect(settled).toMatchObject({ state: end, outcome: { code } });
      });
      await untilTasks(restarted, ([one]) => one?.due?.stage === 'waiting');
      const again = await waitingOne(restarted);
      expect(again.id).not.toBe(first.id);
      expect(again).toMatchObject({ targets: first.targets, expiresAtMs: first.expiresAtMs });
      expect((await approve(restarted, again.id)).state).toBe('verified');
      expect((await restarted.other.get(cid)).edit.campaign['status']).toBe(3);
      const [task] = await untilTasks(restarted, ([one]) => one?.due === null);
      expect(task?.history.map(({ proposalId }) => proposalId)).toEqual([again.id, first.id]);
    },
  );

  test('expires with a message half a minute before its approval, or when the approval no longer exists', async () => {
    const world = await createWorld({ clock: createManualClock(startMs) });
    const get = world.core.handlers['proposals.get'];
    const { cancel } = await pauseEveryMorning(world);
    await untilTasks(world, ({ length }) => length === 1);
    world.clock.advance(2 * 60 * minuteMs + 5_000);
    const { id, expiresAtMs } = await waitingOne(world);
    world.clock.advance(expiresAtMs - world.clock.nowMs() - 1_000);
    expect((await get({ id })).state).toBe('proposed');
    world.clock.advance(30_000);
    expect(await get({ id })).toMatchObject({ state: 'expired', outcome: { code: 'due_approval_ended' } });
    const [late] = await untilTasks(world, ([one]) => one?.due?.stage === 'too-late');
    expect(late?.due?.proposalId).toBe(id);

    world.clock.advance(60_000);
    await untilTasks(world, ([one]) => one?.due !== null && one?.due.proposalId !== id);
    const next = await waitingOne(world);
    await cancel();
    await untilTasks(world, ([one]) => one?.state === 'cancelled');
    expect(await get({ id: next.id })).toMatchObject({
      state: 'withdrawn',
      outcome: { code: 'due_approval_ended' },
    });
  });
});
