/** Timers that run when a test advances the time. */
export interface ManualTimers {
  after: (delayMs: number, call: () => void) => () => void;
  /** Advances the time; due timers run in order. */
  pass(ms: number): void;
  waiting(): number;
}

export function manualTimers(): ManualTimers {
  let nowMs = 0;
  let timers: { atMs: number; call: () => void }[] = [];
  return {
    after(delayMs, call) {
      const timer = { atMs: nowMs + delayMs, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined || next.atMs > untilMs) break;
        timers = timers.filter((other) => other !== next);
        nowMs = next.atMs;
        next.call();
      }
      nowMs = untilMs;
    },
    waiting: () => timers.length,
  };
}
