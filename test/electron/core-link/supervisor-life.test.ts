import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';
import { createReadyStage, createStage, ready, start, type Stage } from './scripted-core.ts';

const locked: CoreMessage = { kind: 'failed', error: encodeError(new AppError('data_folder_locked')) };

/** Lets the core crash this often in a row, each time as soon as the next core has started. */
function crash(stage: Stage, times: number): void {
  for (let count = 0; count < times; count += 1) {
    stage.core().exits(1);
    if (count < times - 1) stage.clock.advance(10_000);
  }
}

test('the process exists before its start parameters are known', () => {
  const { supervisor, cores, core } = createStage();
  expect(cores).toHaveLength(0);
  supervisor.preload();
  supervisor.preload();
  expect(cores).toHaveLength(1);
  expect(core().heard).toEqual([]);
  supervisor.begin(start);
  expect(core().heard).toEqual([{ kind: 'start', start }]);
  expect(supervisor.state()).toEqual({ kind: 'starting' });
});

test('starting without a process launches one', () => {
  const { supervisor, core } = createStage();
  supervisor.begin(start);
  expect(core().heard).toEqual([{ kind: 'start', start }]);
});

test('a second start applies to the next process, because the running one has its parameters', () => {
  const { supervisor, core, clock } = createReadyStage();
  const other = { ...start, dataKey: 'BBBB' };
  supervisor.begin(other);
  expect(core().heard).toHaveLength(1);
  core().exits(1);
  clock.advance(300);
  expect(core().heard).toEqual([{ kind: 'start', start: other }]);
});

test('a ready core is reported with the files that it moved aside', () => {
  const { supervisor, core, reported } = createStage();
  supervisor.begin(start);
  core().says({ kind: 'ready', setAside: ['countersign.sqlite.damaged'] });
  expect(supervisor.state()).toEqual({ kind: 'ready' });
  expect(reported).toEqual([{ kind: 'ready' }]);
  expect(supervisor.setAside()).toEqual(['countersign.sqlite.damaged']);
});

test('a removed listener is no longer called', () => {
  const { supervisor, core } = createStage();
  const heard: string[] = [];
  const stop = supervisor.onState(({ kind }) => heard.push(kind));
  supervisor.begin(start);
  core().says(ready);
  stop();
  core().exits(1);
  expect(heard).toEqual(['ready']);
});

test('a core that cannot start stops with its reason and is not restarted', () => {
  const { supervisor, core, cores, clock, reported } = createStage();
  supervisor.begin(start);
  core().says(locked);
  core().exits(1);
  clock.advance(600_000);
  expect(cores).toHaveLength(1);
  expect(reported).toEqual([
    { kind: 'stopped', sinceMs: 1_000_000, failure: encodeError(new AppError('data_folder_locked')) },
  ]);
});

test('a core that cannot start and does not end is killed after 5 s', () => {
  const { supervisor, core, clock } = createStage();
  supervisor.begin(start);
  core().says(locked);
  clock.advance(4_999);
  expect(core().kills).toBe(0);
  clock.advance(1);
  expect(core().kills).toBe(1);
});

test('the deadline of a failed core does not apply to the next core', () => {
  const { supervisor, core, clock } = createStage();
  supervisor.preload();
  core().says(locked);
  core().exits(1);
  supervisor.retry();
  clock.advance(5_000);
  expect(core().kills).toBe(0);
});

test('a core that fails before its start is stopped, and gets the start after a retry', () => {
  const { supervisor, core, cores } = createStage();
  supervisor.preload();
  core().says(locked);
  core().exits(null);
  supervisor.begin(start);
  expect(supervisor.state().kind).toBe('stopped');
  expect(cores).toHaveLength(1);
  supervisor.retry();
  expect(core().heard).toEqual([{ kind: 'start', start }]);
});

test('a crashed core is restarted after 0.3, 1, 3 and 10 s, and stays stopped the fifth time', () => {
  const stage = createReadyStage();
  const { supervisor, core, cores, clock } = stage;
  const sinceMs = clock.nowMs();
  for (const [index, restMs] of [300, 1_000, 3_000, 10_000].entries()) {
    core().exits(index % 2 === 0 ? 1 : null);
    const waiting = { kind: 'restarting', sinceMs, attempt: index + 1, nextTryAtMs: clock.nowMs() + restMs };
    expect(supervisor.state()).toEqual(waiting);
    clock.advance(restMs - 1);
    expect(cores).toHaveLength(index + 1);
    clock.advance(1);
    expect(cores).toHaveLength(index + 2);
    // The state stays `restarting` until the core is ready.
    expect(supervisor.state()).toEqual(waiting);
    expect(core().heard).toEqual([{ kind: 'start', start }]);
  }
  core().exits(1);
  expect(supervisor.state()).toEqual({
    kind: 'stopped',
    sinceMs: clock.nowMs(),
    failure: encodeError(new AppError('core_stopped_often')),
  });
  clock.advance(600_000);
  expect(cores).toHaveLength(5);
});

test('an unrequested exit with code 0 counts as a crash', () => {
  const { supervisor, core } = createReadyStage();
  core().exits(0);
  expect(supervisor.state().kind).toBe('restarting');
});

test('a preloaded process that ends is launched again and gets its start then', () => {
  const { supervisor, core, cores, clock } = createStage();
  supervisor.preload();
  core().exits(null);
  supervisor.begin(start);
  expect(cores).toHaveLength(1);
  clock.advance(300);
  expect(core().heard).toEqual([{ kind: 'start', start }]);
});

test('a recovered core is reported as ready, and the next crash begins a new outage', () => {
  const { supervisor, core, clock } = createReadyStage();
  core().exits(1);
  clock.advance(300);
  core().says(ready);
  expect(supervisor.state()).toEqual({ kind: 'ready' });
  clock.advance(1_000);
  core().exits(1);
  const nowMs = clock.nowMs();
  expect(supervisor.state()).toEqual({
    kind: 'restarting',
    sinceMs: nowMs,
    attempt: 2,
    nextTryAtMs: nowMs + 1_000,
  });
});

test.each([
  [59_999, 2],
  [60_000, 1],
])('after %i ms as a ready core the next crash counts as number %i', (readyMs, attempt) => {
  const { supervisor, core, clock } = createReadyStage();
  core().exits(1);
  clock.advance(300);
  core().says(ready);
  clock.advance(readyMs);
  core().exits(1);
  expect(supervisor.state()).toMatchObject({ kind: 'restarting', attempt });
});

test('a core that is not ready 30 s after its start is killed, which counts as a crash', () => {
  const { supervisor, core, clock } = createStage();
  supervisor.preload();
  // The start parameters are not known yet. A keychain may be asking for a password.
  clock.advance(120_000);
  expect(core().kills).toBe(0);
  supervisor.begin(start);
  clock.advance(29_999);
  expect(core().kills).toBe(0);
  clock.advance(1);
  expect(core().kills).toBe(1);
  expect(supervisor.state()).toEqual({ kind: 'starting' });
  core().exits(null);
  expect(supervisor.state()).toMatchObject({ kind: 'restarting', attempt: 1 });
});

test('a core that was ready in time is not killed later', () => {
  const { core, clock } = createReadyStage();
  clock.advance(600_000);
  expect(core().kills).toBe(0);
});

test('the user can start a stopped core again, which resets the count', () => {
  const stage = createReadyStage();
  crash(stage, 5);
  expect(stage.supervisor.state().kind).toBe('stopped');
  stage.supervisor.retry();
  expect(stage.supervisor.state()).toEqual({ kind: 'starting' });
  expect(stage.core().heard).toEqual([{ kind: 'start', start }]);
  stage.core().exits(1);
  expect(stage.supervisor.state()).toMatchObject({ kind: 'restarting', attempt: 1 });
});

test('a retry before the failed process has ended kills it first, so there is only one', () => {
  const { supervisor, core, cores } = createStage();
  supervisor.begin(start);
  core().says(locked);
  supervisor.retry();
  supervisor.retry();
  expect(supervisor.state()).toEqual({ kind: 'starting' });
  expect([cores.length, core().kills]).toEqual([1, 1]);
  core().exits(null);
  expect(cores).toHaveLength(2);
});

test('a retry does nothing while the core runs or is about to start', () => {
  const { supervisor, core, cores } = createReadyStage();
  supervisor.retry();
  core().exits(1);
  supervisor.retry();
  expect(cores).toHaveLength(1);
});

test('sleep and waking are passed on to a ready core only', () => {
  const { supervisor, core } = createStage();
  supervisor.suspend();
  supervisor.begin(start);
  supervisor.suspend();
  supervisor.resume();
  core().says(ready);
  supervisor.suspend();
  supervisor.resume();
  expect(core().heard.map(({ kind }) => kind)).toEqual(['start', 'suspend', 'resume']);
  core().exits(1);
  supervisor.resume();
  expect(core().heard).toHaveLength(3);
});
