import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { after } from '#system/after.ts';

const timers = { after, 'the clock of the core': systemClock.after };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.for(Object.entries(timers))('%s never ends early, even if the runtime’s timer does', ([, timer]) => {
  let calls = 0;
  let passedMs = 0.7;
  vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
  timer(5, () => void (calls += 1));
  passedMs = 5.6;
  vi.advanceTimersByTime(5);
  expect(calls).toBe(0);
  passedMs = 5.7;
  vi.advanceTimersByTime(1);
  expect(calls).toBe(1);
});

test.for(Object.entries(timers))('%s is cancelled before it ends', ([, timer]) => {
  let calls = 0;
  const cancel = timer(5, () => void (calls += 1));
  vi.advanceTimersByTime(4);
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(calls).toBe(0);
});

test.for(Object.entries(timers))('%s can wait for longer than the runtime’s longest timer', ([, timer]) => {
  let calls = 0;
  const longMs = 2 ** 31 + 1_000;
  timer(longMs, () => void (calls += 1));
  vi.advanceTimersByTime(longMs - 1);
  expect(calls).toBe(0);
  vi.advanceTimersByTime(1);
  expect(calls).toBe(1);
});
