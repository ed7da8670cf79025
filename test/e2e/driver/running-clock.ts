import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/** A clock that runs in real time until the test ends, and can also be advanced. */
export function runningClock(startMs?: number): ManualClock {
  const clock = createManualClock(startMs);
  const running = setInterval(() => clock.advance(50), 50);
  onTestFinished(() => clearInterval(running));
  return clock;
}

/** Advances a page's clock, as the core's clock advanced. */
export async function pass(page: Page, ms: number): Promise<void> {
  await page.evaluate((by) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + by;
  }, ms);
}
