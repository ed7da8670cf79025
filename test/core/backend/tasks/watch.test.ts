import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createTasks } from '#core/backend/tasks/tasks.ts';
import { nextDue } from '#core/backend/tasks/schedule.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { openTaskWorld } from './task-world.ts';
import type { TaskWorld } from './task-world.ts';
import { runs } from '#test/setup/property-runs.ts';

const begin = '2026-11-20T08:00:00Z';
const daily = { type: 'daily', time: '09:00', timezone: 'Etc/UTC' };
const dayMs = 86_400_000;

const pause = (world: TaskWorld, schedule: JsonObject = daily): JsonObject => ({
  kind: 'campaign_status',
  schedule,
  parameters: { cids: world.rows('buyer', 1).map(({ cid }) => cid), status: 'paused' },
});

function waitingOf(world: TaskWorld): number {
  const { member, key } = world.principal();
  return world.service.store.operations.waiting(member.uid, key).ofOwner;
}

describe('the scheduler of due tasks', () => {
  test('does nothing before it is started', async () => {
    const world = await openTaskWorld({ at: begin });
    await world.addTask(world.principal(), pause(world));
    world.goTo('2026-11-23T12:00:00Z');
    expect((await world.only(world.principal())).lastRun).toBeNull();
  });

  test('waits while nothing is due', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    await world.addTask(world.principal(), pause(world));
    const timers = vi.spyOn(world.clock, 'after');
    world.clock.advance(60_000);
    for (let turn = 0; turn < 3; turn += 1) world.clock.advance(0);
    expect(timers).toHaveBeenCalledOnce();
  });

  test('does nothing after it was ended', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    await world.addTask(world.principal(), pause(world));
    await world.tasks.dispose();
    world.goTo('2026-11-23T12:00:00Z');
    expect((await world.only(world.principal())).lastRun).toBeNull();
  });

  test('runs a task once for all due times during a sleep, and states how many were missed', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    const id = await world.addTask(world.principal(), pause(world));
    world.clock.advance(5 * dayMs);
    expect(world.run(id)).toMatchObject({ dueAtMs: Date.parse('2026-11-24T09:00:00Z'), missed: 4 });
    expect(await world.only(world.principal())).toMatchObject({ nextDueAt: '2026-11-25T09:00:00.000Z' });
  });

  test('notices within a minute that the time of day was set', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    const id = await world.addTask(world.principal(), pause(world));
    world.clock.setForward(3 * dayMs);
    expect(world.run(id)).toBeNull();
    world.clock.advance(60_000);
    expect(world.run(id)).toMatchObject({ missed: 2 });
  });

  test('does not repeat a due time when the time of day is set back', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    const id = await world.addTask(world.principal(), pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    const run = world.run(id);
    world.clock.setForward(-dayMs);
    world.goTo('2026-11-20T12:00:00Z');
    expect(world.run(id)).toEqual(run);
  });

  test('runs a task once even if two schedulers check at once', async () => {
    const world = await openTaskWorld({ at: begin });
    const second = createTasks(world.service, { reports: world.reports });
    world.start();
    second.start(world.operations);
    const id = await world.addTask(world.principal(), pause(world));
    for (const day of [20, 21, 22]) {
      world.goTo(`2026-11-${day}T09:00:00Z`);
      expect(waitingOf(world)).toBe(1);
      expect(world.run(id)).toMatchObject({ missed: 0 });
    }
    await second.dispose();
  });

  test('runs each of many tasks that are due at once', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    for (let count = 0; count < 20; count += 1) await world.addTask(world.principal(), pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    const tasks = await world.list(world.principal());
    expect(tasks.map(({ lastRun }) => lastRun?.outcome)).toEqual(Array(20).fill('waiting'));
  });

  test('continues after a restart with the tasks that were created before', async () => {
    const file = `${tempFolder()}/backend.sqlite`;
    const before = await openTaskWorld({ at: begin, file });
    before.start();
    const id = await before.addTask(before.principal(), pause(before));
    await before.tasks.dispose();
    await before.service.store.dispose();

    const after = await openTaskWorld({ at: '2026-11-22T12:00:00Z', file });
    after.start();
    expect(after.run(id)).toMatchObject({ dueAtMs: Date.parse('2026-11-22T09:00:00Z'), missed: 2 });
    const due = await after.only(after.principal());
    expect((await after.commitWaiting(after.principal(), due)).status).toBe('completed');
  });

  test('learns after a restart that a waiting change was committed before', async () => {
    const file = `${tempFolder()}/backend.sqlite`;
    const before = await openTaskWorld({ at: begin, file });
    before.start();
    await before.addTask(before.principal(), pause(before));
    before.goTo('2026-11-20T09:00:00Z');
    await before.commitWaiting(before.principal(), await before.only(before.principal()));
    await before.tasks.dispose();
    await before.service.store.dispose();

    const after = await openTaskWorld({ at: '2026-11-21T08:59:00Z', file });
    after.start();
    expect((await after.only(after.principal())).lastRun?.outcome).toBe('committed');
  });

  test('rolls a change back completely if it cannot be recorded', async () => {
    const world = await openTaskWorld({ at: begin });
    let fails = 1;
    world.tasks.start({
      prepare(principal, asked) {
        const prepared = world.operations.prepare(principal, asked);
        if ((fails -= 1) >= 0) throw new AppError('storage_failed');
        return prepared;
      },
    });
    const id = await world.addTask(world.principal(), pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    expect(world.run(id)).toBeNull();
    expect(waitingOf(world)).toBe(0);
    world.goTo('2026-11-20T09:01:00Z');
    expect(world.run(id)).toMatchObject({ outcome: 'waiting', missed: 0 });
  });

  test('reports every due time exactly once, whatever the sleeps, restarts and decisions', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 1, max: 4 * dayMs }) }),
      fc.record({ kind: fc.constant('decide' as const) }),
      fc.record({ kind: fc.constant('restart' as const), ms: fc.integer({ min: 0, max: 2 * dayMs }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const file = `${tempFolder()}/backend.sqlite`;
        let world = await openTaskWorld({ at: begin, file, days: 0 });
        world.start();
        const id = await world.addTask(world.principal(), pause(world));
        const seen = new Map<number, number>();
        const note = () => {
          const run = world.run(id);
          if (run !== null) seen.set(run.dueAtMs, run.missed);
        };
        for (const { kind, ...how } of steps) {
          if (kind === 'decide') {
            const due = await world.only(world.principal());
            if (due.approval !== null) await world.commitWaiting(world.principal(), due);
          } else if (kind === 'sleep') {
            world.clock.advance('ms' in how ? how.ms : 0);
          } else {
            const at = new Date(world.clock.nowMs() + ('ms' in how ? how.ms : 0)).toISOString();
            await world.tasks.dispose();
            await world.service.store.dispose();
            world = await openTaskWorld({ at, file, days: 0 });
            world.start();
          }
          note();
        }
        let passed = 0;
        const schedule = { ...daily, type: 'daily' as const };
        for (let at = nextDue(schedule, Date.parse(begin)); at !== null && at <= world.clock.nowMs();) {
          passed += 1;
          at = nextDue(schedule, at);
        }
        const counted = [...seen.values()].reduce((sum, missed) => sum + 1 + missed, 0);
        expect(counted).toBe(passed);
      }),
      runs(8),
    );
  });
});
