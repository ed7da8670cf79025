import { uptime } from 'node:os';
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

/** Milliseconds since the machine was started. Unlike the monotonic clock of a process it counts the machine's sleep. */
export const systemUptimeMs = (): number => uptime() * 1000;

/** A moment by both clocks. */
export interface Moment {
  wallMs: number;
  monotonicMs: number;
}

export function momentNow(clock: Clock): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * Milliseconds since a moment, by the clock that counts more: the time of day also counts the sleep of the machine, and setting it back
 * shortens nothing.
 */
export function passedSince({ wallMs, monotonicMs }: Moment, clock: Clock): number {
  return Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs);
}

/**
 * Makes a time of day that nobody can set: that of this moment, and what has passed since. `passedMs` counts from any moment on, the sleep
 * of the machine included.
 */
export function createUnsetTime(clock: Clock, passedMs: () => number): () => number {
  const offsetMs = clock.nowMs() - passedMs();
  return () => offsetMs + passedMs();
}
