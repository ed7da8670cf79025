import { expect, test, vi } from 'vitest';
import { isForUpdate, waitForOtherToEnd } from '#electron/shell/start-and-quit/second-starts.ts';

test.each([
  [['electron', '.', '--quit-for-update'], true],
  [['electron', '.', '--quit-for-update=1'], false],
  [['electron', '.', 'countersign://quit-for-update'], false],
  [[], false],
])('a start with %o is by an installer: %s', (args, is) => {
  expect(isForUpdate(args)).toBe(is);
});

test.each([
  ['at once', 0, true],
  ['after the write under way', 60, true],
  ['never', 1_000, false],
])('an installer waits for an app that ends %s, for 25 seconds at most', async (_when, looks, isGone) => {
  vi.useFakeTimers();
  try {
    let left = looks;
    const waiting = waitForOtherToEnd(() => (left -= 1) < 0);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await waiting).toBe(isGone);
  } finally {
    vi.useRealTimers();
  }
});
