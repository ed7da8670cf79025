import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';

/** How often somebody may do something. */
export interface Quota {
  /** Counts one; fails with `quota_exceeded` and `data.retryAfterSeconds` when there is none left. */
  take(key: string): void;
}

interface Bucket {
  left: number;
  atMs: number;
}

const minuteMs = 60_000;

/** How many callers are remembered; beyond that the one that was longest silent is forgotten. */
const mostBuckets = 5_000;

/**
 * A bucket for each key that holds a minute's worth and fills evenly. `null` is no quota. Time that somebody sets on the
 * clock neither fills nor empties a bucket.
 */
export function createQuota({ perMinute, clock }: { perMinute: number | null; clock: Clock }): Quota {
  if (perMinute === null) return { take: () => {} };
  const perMs = perMinute / minuteMs;
  const buckets = new Map<string, Bucket>();
  return {
    take(key) {
      const atMs = clock.monotonicMs();
      const known = buckets.get(key) ?? { left: perMinute, atMs };
      const left = Math.min(perMinute, known.left + (atMs - known.atMs) * perMs);
      const isEnough = left >= 1;
      // Deleted first, so that the map's order is the order of the latest calls.
      buckets.delete(key);
      buckets.set(key, { left: isEnough ? left - 1 : left, atMs });
      if (buckets.size > mostBuckets) buckets.delete(buckets.keys().next().value ?? key);
      if (isEnough) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
      throw new AppError('quota_exceeded', { data: { retryAfterSeconds } });
    },
  };
}
