import { onTestFinished } from 'vitest';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/** Makes a clock that runs as a real one does until the test ends, and can be moved on besides. */
export function runningClock(startMs?: number): ManualClock {
  const clock = createManualClock(startMs);
  const running = setInterval(() => clock.advance(50), 50);
  onTestFinished(() => clearInterval(running));
  return clock;
}
