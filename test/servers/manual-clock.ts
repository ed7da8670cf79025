import type { Clock } from '#core/platform/clock.ts';

/** A clock that moves only when it is told to. */
export interface ManualClock extends Clock {
  /** Moves on, and calls what has become due, in its order. */
  advance(ms: number): void;
  /** The time of day is set: nothing else has passed. */
  setForward(ms: number): void;
}

/** Starts at the real time unless told otherwise. */
export function createManualClock(startMs: number = Date.now()): ManualClock {
  let nowMs = startMs;
  let passedMs = 0;
  const waiting = new Set<{ dueMs: number; call: () => void }>();

  return {
    nowMs: () => nowMs,
    monotonicMs: () => passedMs,
    after(delayMs, call) {
      // As real timers do, they wait for time to pass, whatever the time of day is set to.
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
