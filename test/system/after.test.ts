import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { after } from '#system/after.ts';

const timers = { after, 'the clock of the core': systemClock.after };

/** Wakes the event loop all the time: an idle one happens to wake up late, never early. */
function keepTurning(): void {
  let isOver = false;
  const turn = (): void => void (isOver || setImmediate(turn));
  onTestFinished(() => void (isOver = true));
  turn();
}

test.for(Object.entries(timers))('%s never ends early, also while the process is busy', async ([, timer]) => {
  keepTurning();
  for (let count = 0; count < 40; count += 1) {
    const startedMs = performance.now();
    await new Promise<void>((resolve) => void timer(5, resolve));
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(5);
  }
});

test.for(Object.entries(timers))('%s is cancelled before it ends', async ([, timer]) => {
  let calls = 0;
  const cancel = timer(5, () => void (calls += 1));
  cancel();
  await new Promise<void>((resolve) => void after(20, resolve));
  expect(calls).toBe(0);
});

test.for(Object.entries(timers))('%s waits for longer than a timer of the runtime can', async ([, timer]) => {
  let calls = 0;
  const cancel = timer(2 ** 31 + 1_000, () => void (calls += 1));
  onTestFinished(cancel);
  await new Promise<void>((resolve) => void after(20, resolve));
  expect(calls).toBe(0);
});
