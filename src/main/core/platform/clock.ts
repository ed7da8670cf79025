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

/** A moment by both clocks. */
export interface Moment {
  wallMs: number;
  monotonicMs: number;
}

export function momentNow(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * Milliseconds since a moment, by the clock that counts more: the time of day also counts the sleep of the machine, and setting it back
 * shortens nothing.
 */
export function passedSince(
  { wallMs, monotonicMs }: Moment,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
): number {
  return Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs);
}
