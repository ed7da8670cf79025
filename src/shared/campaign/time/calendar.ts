import type { JsonValue } from '../../lib/json/json-value.ts';

const msPerDay = 86_400_000;

/** Days since 1970-01-01 of an existing calendar date in the form YYYY-MM-DD. Null for any other text. */
export function dayNumber(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  // `Date.parse` accepts 30 February as a day in March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return null;
  return ms / msPerDay;
}

const lastDayKnown = Date.parse('9999-12-31T00:00:00Z') / msPerDay;

/** The calendar date, YYYY-MM-DD, of a day since 1970-01-01. Limited to the last day that {@link dayNumber} accepts. */
export function dateOfDay(day: number): string {
  return new Date(Math.min(day, lastDayKnown) * msPerDay).toISOString().slice(0, 10);
}

export function earliestDate(dates: readonly string[]): string | undefined {
  const [first, ...others] = dates;
  return first === undefined
    ? undefined
    : others.reduce((early, date) => (date < early ? date : early), first);
}

/** Minutes since midnight of a time in the form HH:MM, 00:00 to 23:59. Null for any other text. */
export function minuteOfDay(time: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return found === null ? null : Number(found[1]) * 60 + Number(found[2]);
}

/** The weekday of a day since 1970-01-01 (a Thursday). Monday is 0. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

export interface ServiceMoment {
  date: string;
  time: string;
  zone: string;
}

/** The date and time in an IANA zone at a time in milliseconds since 1970 UTC. Throws a RangeError for an unknown zone. */
export function serviceDay(nowMs: number, zone: string): ServiceMoment {
  return readClock(nowMs, zone).moment;
}

/** No zone differs from UTC by more than this, so a wider search finds nothing more. */
const furthestMs = 27 * 60 * 60 * 1000;

/** The start of a date (YYYY-MM-DD) in an IANA zone. Correct even if clocks change at midnight or a day is skipped. */
export function dayStartMs(date: string, zone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  let before = utc - furthestMs;
  let reached = utc + furthestMs;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (serviceDay(middle, zone).date >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** The hour, 0 to 23, in an IANA zone at a time. Throws a RangeError for an unknown zone. */
export function serviceHour(nowMs: number, zone: string): number {
  return readClock(nowMs, zone).hour;
}

/** Minutes since 1970 on the clock of an IANA zone at a time. Throws a RangeError for an unknown zone. */
export function serviceMinute(nowMs: number, zone: string): number {
  return readClock(nowMs, zone).minute;
}

function readClock(nowMs: number, zone: string): ClockReading {
  const clock = clockOf(zone);
  const found = clock.last?.nowMs === nowMs ? clock.last : clock.halfHours.get(nowMs);
  const reading = found ?? readingOf(clock.format, nowMs, zone);
  clock.last = reading;
  if (found === undefined && nowMs % halfHourMs === 0) {
    const [oldest] = clock.halfHours.keys();
    if (clock.halfHours.size >= maxHalfHours && oldest !== undefined) clock.halfHours.delete(oldest);
    clock.halfHours.set(nowMs, reading);
  }
  return reading;
}

function readingOf(format: Intl.DateTimeFormat, nowMs: number, zone: string): ClockReading {
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}`;
  const hour = Number(part('hour'));
  const minute = ((dayNumber(date) ?? 0) * hoursPerDay + hour) * 60 + Number(part('minute'));
  return { nowMs, moment: { date, time, zone }, hour, minute };
}

interface ClockReading {
  nowMs: number;
  moment: ServiceMoment;
  hour: number;
  minute: number;
}

/** Caches readings, because a search or a check of drafts needs thousands of them. */
interface ZoneClock {
  format: Intl.DateTimeFormat;
  last: ClockReading | null;
  halfHours: Map<number, ClockReading>;
}

const halfHourMs = 1_800_000;

const maxHalfHours = 1_008;

/** Creating a format costs far more than using it, and an account has few zones. */
const clocks = new Map<string, ZoneClock>();

function clockOf(zone: string): ZoneClock {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const clock: ZoneClock = { format, last: null, halfHours: new Map() };
  clocks.set(zone, clock);
  return clock;
}

export function isTimeZone(zone: string): boolean {
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

export const hoursPerDay = 24;
export const hoursPerWeek = 168;

/**
 * The schedule as 168 values of 0 or 1: index = day × 24 + hour, Monday first (docs/service-choices.md). Null for any
 * other shape.
 */
export function decodeSchedule(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value) || value.length !== hoursPerWeek) return null;
  const week: number[] = [];
  for (const hour of value) {
    if (hour !== 0 && hour !== 1) return null;
    week.push(hour);
  }
  return week;
}

export function hoursOn(week: readonly number[]): number {
  return week.reduce((sum, hour) => sum + hour, 0);
}

function weekOf(isOn: (day: number, hour: number) => boolean): readonly number[] {
  return Array.from({ length: hoursPerWeek }, (_, index) =>
    isOn(Math.floor(index / hoursPerDay), index % hoursPerDay) ? 1 : 0,
  );
}

export const officeWeek = weekOf((day, hour) => day < 5 && hour >= 8 && hour < 20);

export const namedWeeks: readonly { name: string; hours: readonly number[] }[] = [
  { name: 'All hours', hours: weekOf(() => true) },
  { name: 'Weekdays 8–20', hours: officeWeek },
  { name: 'Nights 22–6', hours: weekOf((_day, hour) => hour >= 22 || hour < 6) },
  { name: 'Weekend', hours: weekOf((day) => day >= 5) },
];

const msPerMinute = 60_000;

/**
 * The first time at which a zone's clocks show this date and time, with its offset. Null if the clocks skip it or the
 * zone is unknown.
 */
export function zonedDateTime({
  date,
  time,
  zone,
}: {
  date: string;
  time: string;
  zone: string;
}): { at: string; atMs: number } | null {
  const asUtcMs = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(asUtcMs)) return null;
  const shows = (ms: number): boolean => {
    const found = serviceDay(ms, zone);
    return found.date === date && found.time === time;
  };
  try {
    // Only the offsets of the day before and of the day after can apply. The larger offset gives the earlier time.
    const offsets = [-1, 1].map((days) => offsetMs(asUtcMs + days * 24 * 60 * msPerMinute, zone));
    const atMs = offsets
      .toSorted((a, b) => b - a)
      .map((offset) => asUtcMs - offset)
      .find(shows);
    if (atMs === undefined) return null;
    return { at: `${date}T${time}:00${offsetText(asUtcMs - atMs)}`, atMs };
  } catch {
    return null;
  }
}

function offsetMs(ms: number, zone: string): number {
  const minute = Math.floor(ms / msPerMinute) * msPerMinute;
  const { date, time } = serviceDay(minute, zone);
  return Date.parse(`${date}T${time}:00Z`) - minute;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / msPerMinute;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
