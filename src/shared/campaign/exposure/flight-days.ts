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
  /** The first day on which the campaign can run, in days since 1970. Null if no hour remains. */
  firstDay: number | null;
  /** Number of days on which the campaign can run. Null if its flight has no end. */
  dayCount: number | null;
}

/**
 * The days with a scheduled hour from now to the end of the flight, both included, on the service's clock. A partial
 * hour counts.
 */
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

/** The last hour of the flight. Null without a window or a valid end. An end at 00:00 belongs to the previous day. */
export function flightEnd(campaign: JsonObject): FlightHour | null {
  const date = own(campaign, 'expire');
  const day = typeof date === 'string' ? dayNumber(date) : null;
  if (own(campaign, 'enable_time') !== 1 || day === null) return null;
  const hour = lastHour(own(campaign, 'expire_time'));
  return hour < 0 ? { day: day - 1, hour: hoursPerDay - 1 } : { day, hour };
}

/**
 * The flight in minutes since 1970 on the service's clock: `from` is the first minute in it, `until` the first minute
 * after it.
 */
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

/** Must be longer than any gap in a schedule that has at least one hour. */
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

/** An hour on the service's clock. `day` is in days since 1970. */
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

/** The last running hour of the last day; `−1` if the flight ends at the start of that day. */
function lastHour(time: unknown): number {
  const minute = typeof time === 'string' ? minuteOfDay(time) : null;
  return minute === null ? hoursPerDay - 1 : Math.ceil(minute / 60) - 1;
}

/** Counts by complete weeks if possible, because a flight may last centuries. */
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

/** Must be longer than a year, to include every clock change of both zones. */
const daysOfClocks = 400;

export interface RunningHours {
  /** True if the campaign may run in any hour of `day` (days since 1970) between `from` and `to`, both included. */
  runs(day: number, from: number, to: number): boolean;
  /** From this day on, every week equals the previous one. */
  steadyFrom: number;
}

/**
 * The schedule on the service's clock. Hours that overlap a scheduled hour count, as do both readings around a clock
 * change. A schedule of unknown shape always runs, so that no exposure is missed.
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
    // A day of any zone is within the UTC days around it.
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

/** A stretch of this length has at most one change, because no zone changes its clock twice within it. */
const quietDays = 16;

export type MinutesAt = (day: number) => number;

function minutesAhead(zone: string, other: string): MinutesAt | null {
  if (!isTimeZone(zone) || !isTimeZone(other)) return null;
  const [theirs, ours] = [offsetOf(zone), offsetOf(other)];
  return (day) => theirs(day) - ours(day);
}

/** Creating a format costs far more than using it, and an account has few zones. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const format =
    offsetFormats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  offsetFormats.set(zone, format);
  return format;
}

/** Asking the machine is slow. If both ends of a quiet stretch have one offset, it applies to every day between them. */
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

/** For example, `11/20/2026, GMT-03:30` is −210. */
function minutesOf(text: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}
