import { expect, test } from 'vitest';
import { watchWaitingCount } from '#electron/shell/follow-core.ts';
import { fakeCore, settled, statusWith, type FakeCore } from './fake-core.ts';
import { manualTimers, type ManualTimers } from './manual-timers.ts';

const changed = { kind: 'proposals.changed', id: 'p1' } as const;

function watched(core: FakeCore = fakeCore()): {
  core: FakeCore;
  timers: ManualTimers;
  heard: (number | null)[];
  stop: () => void;
} {
  const timers = manualTimers();
  const heard: (number | null)[] = [];
  core.answers['session.status'] ??= () => statusWith(2);
  const stop = watchWaitingCount({ core, onChange: (count) => heard.push(count), after: timers.after });
  return { core, timers, heard, stop };
}

test('the number of waiting proposals is read as soon as the core is ready', async () => {
  const { core, timers, heard } = watched(fakeCore({ kind: 'starting' }));
  expect(timers.waiting()).toBe(0);
  core.become({ kind: 'ready' });
  timers.pass(250);
  await settled();
  expect(heard).toEqual([2]);
});

test('a burst of changes causes one read', async () => {
  const { core, timers, heard } = watched();
  for (let count = 0; count < 50; count += 1) core.say(changed);
  timers.pass(250);
  await settled();
  expect(core.asked).toEqual(['session.status']);
  expect(heard).toEqual([2]);
});

test('a change during a read causes another read', async () => {
  const { core, timers, heard } = watched();
  let waiting = 2;
  core.answers['session.status'] = () => statusWith(waiting);
  timers.pass(250);
  core.say(changed);
  waiting = 3;
  await settled();
  timers.pass(250);
  await settled();
  expect(heard).toEqual([2, 3]);
});

test('an unchanged number is not reported again', async () => {
  const { core, timers, heard } = watched();
  timers.pass(250);
  await settled();
  core.say(changed);
  timers.pass(250);
  await settled();
  expect(core.asked).toHaveLength(2);
  expect(heard).toEqual([2]);
});

test('the number is unknown while the core is not running, and is read again afterwards', async () => {
  const { core, timers, heard } = watched();
  timers.pass(250);
  await settled();
  core.become({ kind: 'restarting', sinceMs: 1, attempt: 1, nextTryAtMs: 2 });
  core.become({ kind: 'ready' });
  timers.pass(250);
  await settled();
  expect(heard).toEqual([2, null, 2]);
});

test('a core that ends during a read causes no failure', async () => {
  const core = fakeCore();
  core.answers['session.status'] = () => statusWith(5);
  const { timers, heard } = watched(core);
  core.answers = {};
  timers.pass(250);
  await settled();
  expect(heard).toEqual([]);
});

test('after the end nothing is read and no timer is left', () => {
  const { core, timers, stop } = watched();
  stop();
  core.say(changed);
  core.become({ kind: 'ready' });
  expect(timers.waiting()).toBe(0);
});
