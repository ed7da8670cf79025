import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';

/** Limit on the number of requests. */
export interface Quota {
  /** Counts one request of this caller. Fails with `quota_exceeded`, whose data name `retryAfterSeconds`. */
  take(caller: string): void;
}

const minuteMs = 60_000;

/** Maximum number of callers that are counted apart; beyond it all counts restart. */
const maxCallers = 1_000;

/** Allows this number of requests in each minute, per caller; `null` allows all. */
export function createQuota(perMinute: number | null, clock: Pick<Clock, 'monotonicMs'>): Quota {
  const counts = new Map<string, { sinceMs: number; taken: number }>();
  return {
    take(caller) {
      if (perMinute === null) return;
      const nowMs = clock.monotonicMs();
      const found = counts.get(caller);
      const isRunning = found !== undefined && nowMs < found.sinceMs + minuteMs;
      if (!isRunning) {
        if (counts.size >= maxCallers) counts.clear();
        counts.set(caller, { sinceMs: nowMs, taken: 1 });
        return;
      }
      if (found.taken >= perMinute) {
        const retryAfterSeconds = Math.ceil((found.sinceMs + minuteMs - nowMs) / 1000);
        throw new AppError('quota_exceeded', { data: { retryAfterSeconds } });
      }
      found.taken += 1;
    },
  };
}
