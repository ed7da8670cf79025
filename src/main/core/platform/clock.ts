import { after } from '#system/after.ts';

export interface Clock {
  nowMs(): number;
  /** Milliseconds since an arbitrary start in this process. Setting the time of day does not affect it. */
  monotonicMs(): number;
  /** Calls once after the delay, never early. Returns the cancel function. A pending call does not keep the process alive. */
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

/** Milliseconds by the clock that advanced further: the time of day includes sleep, the other cannot be set back. */
export function passedSince(
  { wallMs, monotonicMs }: Moment,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
): number {
  return Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs);
}

export interface MovableClock extends Clock {
  readonly aheadMs: number;
  /** Converts a time of `base` to this clock's time. For a time before this clock was made, adds the initial difference. */
  timeAt(baseMs: number): number;
  /** Moves this clock forward at once. Calls that become due run immediately, in the order of their due times. */
  forward(ms: number): void;
}

/** A pending call. `dueMs` is the monotonic time of `base` plus the time by which this clock is ahead. */
interface Timer {
  dueMs: number;
  call(): void;
  cancel(): void;
}

/** Returns a clock that is `aheadMs` ahead of `base`. `monotonicMs` stays that of `base`, because skipped time has not passed. */
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
