import { type JsonObject, own } from '../../lib/json/json-value.ts';
import {
  dayNumber,
  decodeSchedule,
  hoursPerDay,
  hoursPerWeek,
  isTimeZone,
  minuteOfDay,
  type ServiceMoment,
  weekday,
} from '../time/calendar.ts';

const daysPerWeek = 7;
const minutesPerDay = 24 * 60;

export interface RemainingFlight {
  /** The first day on which it can run, in days since 1970; null when no hour remains. */
  firstDay: number | null;
  /** On how many days it can run; null when its flight has no end. */
  dayCount: number | null;
}

/** Days with a scheduled hour from now to the end of the flight, both included, on the service's clock. A begun hour counts. */
export function remainingFlight(campaign: JsonObject, today: ServiceMoment): RemainingFlight {
  const first = flightStart(campaign, today);
  const last = flightEnd(campaign);
  const hours = runningHours(campaign, today);
  const firstDay = firstRunningDay(hours, first, last);
  if (firstDay === null) return { firstDay, dayCount: 0 };
  if (last === null) return { firstDay, dayCount: null };
  const runs = (day: number, from: number, to: number): number => (hours.runs(day, from, to) ? 1 : 0);
  if (last.day === first.day) return { firstDay, dayCount: 1 };
  const edges = runs(first.day, first.hour, hoursPerDay - 1) + runs(last.day, 0, last.hour);
  return { firstDay, dayCount: edges + fullDays(hours, first.day + 1, last.day) };
}

export function flightStart(campaign: JsonObject, today: ServiceMoment): FlightHour {
  return laterOf({ day: dayNumber(today.date) ?? 0, hour: hourOf(today.time, 0) }, startOf(campaign));
}

/** The last hour of the flight; null without a window or a valid end. An end at 00:00 belongs to the day before. */
export function flightEnd(campaign: JsonObject): FlightHour | null {
  const date = own(campaign, 'expire');
  const day = typeof date === 'string' ? dayNumber(date) : null;
  if (own(campaign, 'enable_time') !== 1 || day === null) return null;
  const hour = lastHour(own(campaign, 'expire_time'));
  return hour < 0 ? { day: day - 1, hour: hoursPerDay - 1 } : { day, hour };
}

/** Minutes since 1970 on the service's clock: the first one in which the flight lets the campaign run, and the first one after it. */
export interface FlightMinutes {
  from: number;
  until: number;
}

export function flightMinutes(campaign: JsonObject): FlightMinutes {
  const at = (dateField: string, timeField: string, otherwise: number): number | null => {
    const [date, time] = [own(campaign, dateField), own(campaign, timeField)];
    const day = typeof date === 'string' ? dayNumber(date) : null;
    if (own(campaign, 'enable_time') !== 1 || day === null) return null;
    const minute = typeof time === 'string' ? minuteOfDay(time) : null;
    return day * minutesPerDay + (minute ?? otherwise);
  };
  return {
    from: at('create', 'create_time', 0) ?? -Infinity,
    until: at('expire', 'expire_time', minutesPerDay) ?? Infinity,
  };
}

/** Longer than any stretch without a scheduled hour, if a schedule has an hour at all. */
const daysSearched = 16;

function firstRunningDay(hours: RunningHours, first: FlightHour, last: FlightHour | null): number | null {
  const end = Math.min(last?.day ?? Infinity, first.day + daysSearched);
  for (let day = first.day; day <= end; day += 1) {
    const from = day === first.day ? first.hour : 0;
    const to = day === last?.day ? last.hour : hoursPerDay - 1;
    if (hours.runs(day, from, to)) return day;
  }
  return null;
}

/** An hour on the service's clock; the day in days since 1970. */
export interface FlightHour {
  day: number;
  hour: number;
}

function startOf(campaign: JsonObject): FlightHour | null {
  if (own(campaign, 'enable_time') !== 1) return null;
  const date = own(campaign, 'create');
  const day = typeof date === 'string' ? dayNumber(date) : null;
  return day === null ? null : { day, hour: hourOf(own(campaign, 'create_time'), 0) };
}

function laterOf(now: FlightHour, start: FlightHour | null): FlightHour {
  if (start === null || start.day < now.day) return now;
  return start.day > now.day || start.hour > now.hour ? start : now;
}

function hourOf(time: unknown, otherwise: number): number {
  const minute = typeof time === 'string' ? minuteOfDay(time) : null;
  return minute === null ? otherwise : Math.floor(minute / 60);
}

/** The last hour that still runs on the last day; −1 when the flight ends as that day begins. */
function lastHour(time: unknown): number {
  const minute = typeof time === 'string' ? minuteOfDay(time) : null;
  return minute === null ? hoursPerDay - 1 : Math.ceil(minute / 60) - 1;
}

/** Running days from `first` until before `end`, by complete weeks if possible: a flight may last centuries. */
function fullDays(hours: RunningHours, first: number, end: number): number {
  const steadyFrom = Math.min(Math.max(first, hours.steadyFrom), end);
  const weeks = Math.floor((end - steadyFrom) / daysPerWeek);
  const rest = steadyFrom + weeks * daysPerWeek;
  const ofOneWeek = weeks === 0 ? 0 : countRunning(hours, steadyFrom, steadyFrom + daysPerWeek);
  return countRunning(hours, first, steadyFrom) + weeks * ofOneWeek + countRunning(hours, rest, end);
}

function countRunning(hours: RunningHours, first: number, end: number): number {
  let sum = 0;
  for (let day = first; day < end; day += 1) {
    if (hours.runs(day, 0, hoursPerDay - 1)) sum += 1;
  }
  return sum;
}

/** Longer than a year, so that every clock change of both zones lies within. */
const daysOfClocks = 400;

export interface RunningHours {
  /** True when it may run in any of the hours of a day (days since 1970), both included. */
  runs(day: number, from: number, to: number): boolean;
  /** From this day on every week is like the one before. */
  steadyFrom: number;
}

/**
 * The schedule on the service's clock. Hours that overlap a scheduled one count, as do both readings around a clock change. Unknown
 * schedules always run.
 */
function runningHours(campaign: JsonObject, { date, zone }: ServiceMoment): RunningHours {
  const isOn = own(campaign, 'enable_shedule') === 1;
  const week = isOn ? decodeSchedule(own(campaign, 'shedule')) : null;
  const ownZone = own(campaign, 'shedule_timezone');
  if (week === null || typeof ownZone !== 'string') return always;
  if (ownZone === zone) return steady(week);
  const ahead = minutesAhead(ownZone, zone);
  return ahead === null ? always : onServiceClock(week, ahead, dayNumber(date) ?? 0);
}

const always: RunningHours = { runs: (_day, from, to) => from <= to, steadyFrom: -Infinity };

function steady(week: readonly number[]): RunningHours {
  return { runs: (day, from, to) => isAnyOn(week, day, { from, to }), steadyFrom: -Infinity };
}

function onServiceClock(week: readonly number[], ahead: MinutesAt, today: number): RunningHours {
  const weeks = new Map<string, number[]>();
  const shifted = (from: number, to: number): number[] => {
    const minutes = distinct(ahead, from, to);
    const key = minutes.join();
    const found = weeks.get(key) ?? shiftedWeek(week, minutes);
    weeks.set(key, found);
    return found;
  };
  const steadyFrom = today + daysOfClocks;
  let later: number[] | null = null;
  const weekOf = (day: number): number[] => {
    // A day of any zone lies within the UTC days beside it.
    if (day < steadyFrom) return shifted(day - 1, day + 2);
    later ??= shifted(today, steadyFrom);
    return later;
  };
  return { runs: (day, from, to) => isAnyOn(weekOf(day), day, { from, to }), steadyFrom };
}

function distinct(ahead: MinutesAt, from: number, to: number): number[] {
  const minutes = new Set<number>();
  for (let day = from; day <= to; day += 1) minutes.add(ahead(day));
  return [...minutes].toSorted((a, b) => a - b);
}

function shiftedWeek(week: readonly number[], aheadMinutes: readonly number[]): number[] {
  const isOn = (hour: number): boolean => week[((hour % hoursPerWeek) + hoursPerWeek) % hoursPerWeek] === 1;
  return week.map((_on, hour) =>
    aheadMinutes.some((ahead) => isOn(hour + Math.floor(ahead / 60)) || isOn(hour + Math.ceil(ahead / 60)))
      ? 1
      : 0,
  );
}

function isAnyOn(week: readonly number[], day: number, { from, to }: { from: number; to: number }): boolean {
  const offset = weekday(day) * hoursPerDay;
  return week.slice(offset + from, offset + Math.max(from, to + 1)).includes(1);
}

const msPerDay = 86_400_000;

/** No zone changes its clock twice within so many days. */
const quietDays = 16;

export type MinutesAt = (day: number) => number;

/** Minutes that one zone's clock is ahead of another's. Null when this machine does not know a zone. */
function minutesAhead(zone: string, other: string): MinutesAt | null {
  if (!isTimeZone(zone) || !isTimeZone(other)) return null;
  const [theirs, ours] = [offsetOf(zone), offsetOf(other)];
  return (day) => theirs(day) - ours(day);
}

/** Making one costs far more than using it, and there are a few zones only. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const format =
    offsetFormats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  offsetFormats.set(zone, format);
  return format;
}

/** Minutes that a zone is ahead of UTC. Asking the machine is slow, so a quiet stretch of days is asked for at its ends. */
function offsetOf(zone: string): MinutesAt {
  const format = offsetFormat(zone);
  const known = new Map<number, number>();
  const at: MinutesAt = (day) => {
    const minutes = known.get(day) ?? minutesOf(format.format(day * msPerDay));
    known.set(day, minutes);
    return minutes;
  };
  return (day) => {
    const begin = Math.floor(day / quietDays) * quietDays;
    return at(begin) === at(begin + quietDays) ? at(begin) : at(day);
  };
}

/** `11/20/2026, GMT-03:30` is −210. */
function minutesOf(text: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}
