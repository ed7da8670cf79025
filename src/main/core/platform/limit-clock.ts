import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isJsonObject, jsonOrNull } from '#shared/lib/json/json-value.ts';
import { type Clock, systemClock } from './clock.ts';

/** Time since the machine was started, its sleep included. Unlike the monotonic clock of a process it outlives a restart of the app. */
export interface Uptime {
  passedMs(): number;
  /** Differs with each start of the machine; null if the system has no name for it. */
  startId: string | null;
}

export function uptimeOf(clock: Clock): Uptime {
  if (clock !== systemClock) return { passedMs: clock.monotonicMs, startId: null };
  return { passedMs: () => uptime() * 1000, startId: linuxStartId() };
}

/** Other systems have no such name that can be read without starting a program. */
function linuxStartId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

export interface LimitClock extends Pick<Clock, 'nowMs' | 'monotonicMs'> {
  /** The time of day, and if somebody set it, also the unset one: a limit refuses at either. A set time counts alone after a day. */
  timesOfDay(): number[];
}

export interface LimitClockMemory {
  read(): string | null;
  write(text: string): void;
}

interface Count {
  /** Time of day at which the machine was started, by the clock as it was first read. */
  startedAtMs: number;
  /** Uptime at which another time of day was noticed; null if none was. */
  setAtMs: number | null;
}

/** A time service moves the clock by less than this, in milliseconds. */
const clockMovesMs = 60_000;

const dayMs = 24 * 60 * 60_000;

/** If the machine's start has no name, `timesOfDay` trusts the time of day of the app's start. */
export function createLimitClock(
  clock: Clock,
  { passedMs, startId }: Uptime,
  memory: LimitClockMemory,
): LimitClock {
  let count = startId === null ? null : storedCount(memory.read(), startId);

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

function storedCount(text: string | null, startId: string): Count | null {
  const found = text === null ? null : jsonOrNull(text);
  if (!isJsonObject(found) || found['startId'] !== startId) return null;
  const { startedAtMs, setAtMs } = found;
  if (typeof startedAtMs !== 'number' || (setAtMs !== null && typeof setAtMs !== 'number')) return null;
  return { startedAtMs, setAtMs };
}
