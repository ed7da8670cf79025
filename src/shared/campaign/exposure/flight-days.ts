import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { dayNumber, minuteOfDay } from '../calendar.ts';
import { hoursPerDay } from '../schedule.ts';
import type { ServiceMoment } from '../service-day.ts';
import { runningHours, type RunningHours } from './running-hours.ts';

const daysPerWeek = 7;

/** What remains of a campaign's flight, on the service's clock. */
export interface RemainingFlight {
  /** The first day on which it can run, in days since 1970; null when no hour remains. */
  firstDay: number | null;
  /** On how many days it can run; null when its flight has no end. */
  dayCount: number | null;
}

/**
 * The days of the service from now to the end of the flight, both included, on which the campaign has a scheduled hour
 * of its own zone. The flight is read on the service's clock. An hour that has begun counts, and so does the hour in
 * which the flight ends.
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

/** From when on the flight lets the campaign run: its start, or now where that has passed or is not set. */
export function flightStart(campaign: JsonObject, today: ServiceMoment): FlightHour {
  return laterOf({ day: dayNumber(today.date) ?? 0, hour: hourOf(today.time, 0) }, startOf(campaign));
}

/**
 * The last hour in which the flight lets the campaign run, or null: no window, no end, or an end that is no date. A flight that ends as a
 * day begins has the day before as its last one.
 */
export function flightEnd(campaign: JsonObject): FlightHour | null {
  const date = own(campaign, 'expire');
  const day = typeof date === 'string' ? dayNumber(date) : null;
  if (own(campaign, 'enable_time') !== 1 || day === null) return null;
  const hour = lastHour(own(campaign, 'expire_time'));
  return hour < 0 ? { day: day - 1, hour: hoursPerDay - 1 } : { day, hour };
}

/** Longer than any stretch without a scheduled hour, where a schedule has one at all. */
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

/** Running days from `first` until the day before `end`; by whole weeks where it can, so that a flight of centuries costs nothing. */
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
