import type { Clock } from '#core/platform/clock.ts';
import { createLimitClock, type LimitClock, uptimeOf } from '#core/platform/limit-clock.ts';

/** The limit clock of a core, without a count that survives restarts. */
export function limitClockOf(clock: Clock): LimitClock {
  return createLimitClock(clock, uptimeOf(clock), { read: () => null, write() {} });
}
