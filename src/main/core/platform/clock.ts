import { after } from '#system/after.ts';

export interface Clock {
  nowMs(): number;
  /** Milliseconds since some moment of this process. It never jumps, whatever is done to the time of day. */
  monotonicMs(): number;
  /** Calls once after the delay, never early; the returned function cancels. Never keeps the process alive by itself. */
  after(delayMs: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, call) => after(delayMs, call, { keepsAlive: false }),
};

export interface Moment {
  wallMs: number;
  monotonicMs: number;
}

export function momentNow(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/** By the clock that counts more: the time of day also counts sleep, and setting it back shortens nothing. */
export function passedSince(
  { wallMs, monotonicMs }: Moment,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
): number {
  return Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs);
}

export interface MovableClock extends Clock {
  readonly aheadMs: number;
  /** The time that it showed when the other one showed `baseMs`; for a time before it was made, as far ahead as it began. */
  timeAt(baseMs: number): number;
  /** Moves on at once: what was to be called within that time is called now, in its order. */
  forward(ms: number): void;
}

/** One call to come. `dueMs` is on the time of the clock that cannot be set, and the time by which it is ahead. */
interface Timer {
  dueMs: number;
  call(): void;
  cancel(): void;
}

/** Returns a clock that is `aheadMs` ahead of `base`. Its `monotonicMs` is that of `base`, because skipped time has not passed. */
export function createMovableClock(base: Clock, aheadMs = 0): MovableClock {
  const timers = new Set<Timer>();
  let ahead = aheadMs;
  const moves: { fromMs: number; aheadMs: number }[] = [{ fromMs: -Infinity, aheadMs }];
  const passedMs = (): number => base.monotonicMs() + ahead;

  function start(timer: Timer): void {
    timer.cancel = base.after(Math.max(0, timer.dueMs - passedMs()), () => {
      timers.delete(timer);
      timer.call();
    });
  }

  return {
    get aheadMs() {
      return ahead;
    },
    nowMs: () => base.nowMs() + ahead,
    timeAt: (baseMs) => baseMs + (moves.findLast(({ fromMs }) => fromMs <= baseMs)?.aheadMs ?? aheadMs),
    monotonicMs: () => base.monotonicMs(),
    after(delayMs, call) {
      const timer: Timer = { dueMs: passedMs() + delayMs, call, cancel: () => {} };
      timers.add(timer);
      start(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    forward(ms) {
      ahead += ms;
      moves.push({ fromMs: base.nowMs(), aheadMs: ahead });
      for (const timer of [...timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
        timer.cancel();
        start(timer);
      }
    },
  };
}
