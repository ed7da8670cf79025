import { expect, test } from 'vitest';
import { createLimitClock } from '#core/platform/limit-clock.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const startId = 'a start';

test.each<[title: string, stored: object | string]>([
  ['a text', 'none'],
  ['a start beyond every date', { startId, startedAtMs: 1e300, setAtMs: null }],
  ['a start before every date', { startId, startedAtMs: -1e300, setAtMs: 0 }],
  ['a moment of setting that is still ahead', { startId, startedAtMs: 0, setAtMs: 1e300 }],
  ['a moment of setting before the start', { startId, startedAtMs: 0, setAtMs: -1e300 }],
  ['another start of the machine', { startId: 'another', startedAtMs: 0, setAtMs: null }],
])('a stored time count that this app cannot have written is ignored: %s', (_title, stored) => {
  const clock = createManualClock();
  const text = typeof stored === 'string' ? stored : JSON.stringify(stored);
  const uptime = { passedMs: clock.monotonicMs, startId };
  const limitClock = createLimitClock(clock, uptime, { read: () => text, write() {} });
  expect(limitClock.timesOfDay()).toEqual([clock.nowMs()]);
});
