import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/**
 * A clock that runs in real time until the test ends, and can also be advanced. Timers are called up to 50 ms late. The time
 * itself is never late, even when the process is: pages measure the same time by their own clock.
 */
export function runningClock(startMs?: number): ManualClock {
  const clock = createManualClock(startMs);
  let countedMs = realMs();
  const uncountedMs = (): number => realMs() - countedMs;
  const running = setInterval(() => {
    const passedMs = uncountedMs();
    countedMs += passedMs;
    clock.advance(passedMs);
  }, 50);
  onTestFinished(() => clearInterval(running));
  return {
    ...clock,
    nowMs: () => clock.nowMs() + uncountedMs(),
    monotonicMs: () => clock.monotonicMs() + uncountedMs(),
    after: (delayMs, call) => clock.after(delayMs + uncountedMs(), call),
  };
}

function realMs(): number {
  return Math.floor(performance.now());
}

/** Advances a page's clock, as the core's clock advanced. */
export async function pass(page: Page, ms: number): Promise<void> {
  await page.evaluate((by) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + by;
  }, ms);
}
