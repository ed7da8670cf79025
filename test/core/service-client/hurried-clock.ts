import type { Clock } from '#core/platform/clock.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

/** A clock whose waits end at once and are recorded. */
export interface HurriedClock extends Clock {
  waitsMs: number[];
}

export function createHurriedClock(): HurriedClock {
  const clock = createManualClock();
  const waitsMs: number[] = [];
  return {
    ...clock,
    waitsMs,
    after(delayMs, call) {
      waitsMs.push(delayMs);
      const cancel = clock.after(delayMs, call);
      queueMicrotask(() => clock.advance(delayMs));
      return cancel;
    },
  };
}
