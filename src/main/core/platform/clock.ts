import { after } from '#system/after.ts';

/** The time, as a service sees it. Tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
  /** Milliseconds since some moment of this process. It never jumps, whatever is done to the time of day. */
  monotonicMs(): number;
  /** Calls once after the delay, never early; the returned function cancels. Never keeps the process alive by itself. */
  after(delayMs: number, call: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, call) => after(delayMs, call, { keepsAlive: false }),
};
