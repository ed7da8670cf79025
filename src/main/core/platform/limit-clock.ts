import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isMoment } from '#shared/lib/date-text.ts';
import { isJsonObject, jsonOrNull } from '#shared/lib/json/json-value.ts';
import { type Clock, systemClock } from './clock.ts';

/** Time since the machine was started, including sleep. Unlike the monotonic clock of a process, it continues when the app restarts. */
export interface Uptime {
  passedMs(): number;
  /** Differs with each start of the machine; null if the system has no such identifier. */
  startId: string | null;
}

export function uptimeOf(clock: Clock): Uptime {
  if (clock !== systemClock) return { passedMs: clock.monotonicMs, startId: null };
  return { passedMs: () => uptime() * 1000, startId: linuxStartId() };
}

/** Null on other systems, because they provide no such identifier without starting a program. */
function linuxStartId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

export interface LimitClock extends Pick<Clock, 'nowMs' | 'monotonicMs'> {
  /**
   * The time of day. For a day after the clock was set, also the time that the clock would show otherwise: a limit refuses if
   * it refuses at either time.
   */
  timesOfDay(): number[];
}

export interface LimitClockMemory {
  read(): string | null;
  write(text: string): void;
}

interface Count {
  startedAtMs: number;
  setAtMs: number | null;
}

/** A smaller difference is ignored, because time synchronization moves the clock by less than this. */
const clockMovesMs = 60_000;

const dayMs = 24 * 60 * 60_000;

/** If the machine's start has no identifier, `timesOfDay` trusts the time of day at the app's start. */
export function createLimitClock(
  clock: Clock,
  { passedMs, startId }: Uptime,
  memory: LimitClockMemory,
): LimitClock {
  let count = startId === null ? null : storedCount(memory.read(), startId, passedMs());

  function keep(next: Count): Count {
    if (startId !== null) memory.write(JSON.stringify({ startId, ...next }));
    count = next;
    return next;
  }

  const begin = (): Count => keep({ startedAtMs: clock.nowMs() - passedMs(), setAtMs: null });
  if (count === null) begin();

  return {
    nowMs: clock.nowMs,
    monotonicMs: passedMs,
    timesOfDay() {
      const { startedAtMs, setAtMs } = count ?? begin();
      const [set, unset] = [clock.nowMs(), startedAtMs + passedMs()];
      if (Math.abs(set - unset) < clockMovesMs) {
        if (setAtMs !== null) keep({ startedAtMs, setAtMs: null });
        return [set];
      }
      if (setAtMs === null) keep({ startedAtMs, setAtMs: passedMs() });
      else if (passedMs() - setAtMs >= dayMs) begin();
      return [set, unset];
    },
  };
}

/**
 * Parses the stored count. Null for a count of another start of the machine and for impossible times, because another program
 * may have written it.
 */
function storedCount(text: string | null, startId: string, uptimeMs: number): Count | null {
  const found = text === null ? null : jsonOrNull(text);
  if (!isJsonObject(found) || found['startId'] !== startId) return null;
  const { startedAtMs, setAtMs } = found;
  if (!isMoment(startedAtMs)) return null;
  if (setAtMs !== null && !(typeof setAtMs === 'number' && setAtMs >= 0 && setAtMs <= uptimeMs)) return null;
  return { startedAtMs, setAtMs };
}
