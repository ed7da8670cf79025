import type { Clock } from '#core/platform/clock.ts';

const hourMs = 3_600_000;
const firstPauseMs = 5 * 60_000;
const longestPauseMs = 6 * hourMs;

/** How many requests checks may make within any hour. */
export interface RequestBudget {
  readonly max: number;
  used(): number;
  /** Counts requests that were made. */
  spend(requests: number): void;
  /** How many more may be made now; never below 0. */
  left(): number;
}

/** An hour is the last sixty minutes, whatever happens to the time of day. */
export function createRequestBudget(clock: Pick<Clock, 'monotonicMs'>, max: number): RequestBudget {
  let spent: { atMs: number; requests: number }[] = [];
  function used(): number {
    const sinceMs = clock.monotonicMs() - hourMs;
    spent = spent.filter(({ atMs }) => atMs > sinceMs);
    return spent.reduce((sum, { requests }) => sum + requests, 0);
  }
  return {
    max,
    used,
    spend(requests) {
      if (requests > 0) spent.push({ atMs: clock.monotonicMs(), requests });
    },
    left: () => Math.max(0, max - used()),
  };
}

/** The pause before the next check: an hour, or after failures in a row 5, 10, 20 … minutes, six hours at most. */
export function pauseAfter(failures: number): number {
  return failures === 0 ? hourMs : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
}
