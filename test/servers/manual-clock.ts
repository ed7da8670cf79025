import type { Clock } from '#core/platform/clock.ts';

/** A clock that only moves when a test moves it. */
export interface ManualClock extends Clock {
  /** Lets time pass, and calls due timers in order. */
  advance(ms: number): void;
  /** Sets the wall clock forward. No time passes, so no timer becomes due. */
  setForward(ms: number): void;
}

/** Creates a manual clock, by default at the current time. */
export function createManualClock(startMs: number = Date.now()): ManualClock {
  let nowMs = startMs;
  let passedMs = 0;
  const waiting = new Set<{ dueMs: number; call: () => void }>();

  return {
    nowMs: () => nowMs,
    monotonicMs: () => passedMs,
    after(delayMs, call) {
      // Like real timers, these wait for time to pass and ignore changes of the wall clock.
      const timer = { dueMs: passedMs + delayMs, call };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      passedMs += ms;
      const due = [...waiting]
        .filter(({ dueMs }) => dueMs <= passedMs)
        .toSorted((left, right) => left.dueMs - right.dueMs);
      for (const timer of due) if (waiting.delete(timer)) timer.call();
    },
    setForward(ms) {
      nowMs += ms;
    },
  };
}
