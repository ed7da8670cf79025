import type { Clock } from '#core/platform/clock.ts';

/** However long a pause the service asks for, it is asked again after this one, in milliseconds. */
const longestPauseMs = 10 * 60_000;

/** When a service is asked again: after the pause that it wants, and by the reads that wait. */
export interface NextTry {
  /** The service wants a pause of so many seconds from now; 0 where it wants none. */
  pauseFor(seconds: number): void;
  isPaused(): boolean;
  /** A read waits until then. Returns the end of the wait. */
  waits(wait: { retryAtMs: number }): () => void;
  /** The earliest of all; null where nothing waits. */
  atMs(): number | null;
}

export function createNextTry(clock: Clock): NextTry {
  /** Its end, by the monotonic clock for us and by the time of day for people. */
  let pause: { untilMs: number; retryAtMs: number } | null = null;
  const waiting = new Set<{ retryAtMs: number }>();

  const isPaused = (): boolean => pause !== null && clock.monotonicMs() < pause.untilMs;

  return {
    pauseFor(seconds) {
      const pauseMs = Math.min(seconds * 1000, longestPauseMs);
      const retryAtMs = clock.nowMs() + pauseMs;
      pause = pauseMs === 0 ? null : { untilMs: clock.monotonicMs() + pauseMs, retryAtMs };
    },
    isPaused,
    waits({ retryAtMs }) {
      const wait = { retryAtMs };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    atMs() {
      const moments = [...waiting].map(({ retryAtMs }) => retryAtMs);
      if (pause !== null && isPaused()) moments.push(pause.retryAtMs);
      return moments.length === 0 ? null : Math.min(...moments);
    },
  };
}
