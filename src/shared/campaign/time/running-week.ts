import { type JsonObject, own } from '../../lib/json/json-value.ts';
import {
  decodeSchedule,
  hoursPerDay,
  isTimeZone,
  serviceDay,
  serviceHour,
  serviceMinute,
  weekday,
  dateOfDay,
  dayNumber,
  zonedDateTime,
} from './calendar.ts';
import { flightMinutes } from '../exposure/index.ts';
import { runs } from '../fields/fields.ts';
import type { TaskSchedule } from '../../contract/index.ts';
import { dayAndDateText } from '../../lib/date-text.ts';

/**
 * Half an hour: every zone's offset from UTC is a multiple of a quarter hour, and clock changes are multiples of half
 * an hour.
 */
const slotMs = 1_800_000;
const quarterMs = slotMs / 2;
const minuteMs = 60_000;
const minutesPerDay = hoursPerDay * 60;
const slotsPerHour = 2;
const slotsPerWeek = 7 * hoursPerDay * slotsPerHour;

export interface Clocks {
  nowMs: number;
  /** The zone of the service's days. Flights are in this zone. */
  serviceZone: string;
}

/**
 * An hour on a wall clock: `on`, `half` or `off` by the part of it that runs. `none` for an hour before now, after the
 * week, or skipped by the clock.
 */
export type HourState = 'on' | 'half' | 'off' | 'none';

export interface RunningDay {
  date: string;
  hours: HourState[];
  clockChange: { kind: 'skips' | 'repeats'; hour: number } | null;
}

/** A future half hour. `isOn` if flight and schedule let the campaign run in it; the status is ignored. */
interface Slot {
  atMs: number;
  isOn: boolean;
}

/** The next seven days of a campaign by flight and schedule. The status is ignored. */
export function runningWeek(campaign: JsonObject, clocks: Clocks): Slot[] {
  const { first, isOn } = halfHoursOf(campaign, clocks);
  return Array.from({ length: slotsPerWeek }, (_, index) => {
    const atMs = first + index * slotMs;
    return { atMs, isOn: isOn(atMs) };
  });
}

/** The hours of the next seven days in which flight and schedule let a campaign run. The status is ignored. */
export function runningHours(campaign: JsonObject, clocks: Clocks): number {
  const { first, isOn } = halfHoursOf(campaign, clocks);
  let on = 0;
  for (let index = 0; index < slotsPerWeek; index += 1) if (isOn(first + index * slotMs)) on += 1;
  return on / slotsPerHour;
}

function halfHoursOf(campaign: JsonObject, { nowMs, serviceZone }: Clocks) {
  const flight = flightMinutes(campaign);
  const isScheduled = scheduleOf(campaign);
  return {
    first: Math.floor(nowMs / slotMs) * slotMs,
    isOn(atMs: number): boolean {
      const minute = serviceMinute(atMs, serviceZone);
      return minute + slotMs / minuteMs > flight.from && minute < flight.until && isScheduled(atMs);
    },
  };
}

export function daysIn(slots: readonly Slot[], zone: string): RunningDay[] {
  const days = new Map<string, Slot[][]>();
  for (const slot of slots) {
    const { date } = serviceDay(slot.atMs, zone);
    const hours = days.get(date) ?? Array.from({ length: hoursPerDay }, (): Slot[] => []);
    days.set(date, hours);
    hours[serviceHour(slot.atMs, zone)]?.push(slot);
  }
  const dates = [...days.keys()];
  return [...days].map(([date, hours]) => ({
    date,
    hours: hours.map(stateOf),
    clockChange: clockChangeOf(hours, { isFirst: date === dates[0], isLast: date === dates.at(-1) }),
  }));
}

function stateOf(slots: readonly Slot[]): HourState {
  if (slots.length === 0) return 'none';
  const on = slots.filter(({ isOn }) => isOn).length;
  if (on === 0) return 'off';
  return on === slots.length ? 'on' : 'half';
}

/** The first and the last day are incomplete: an hour without slots there may be in the past or after the week. */
function clockChangeOf(
  hours: readonly Slot[][],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): RunningDay['clockChange'] {
  const repeated = hours.findIndex((slots) => slots.length > slotsPerHour);
  if (repeated >= 0) return { kind: 'repeats', hour: repeated };
  const from = isFirst ? hours.findIndex((slots) => slots.length > 0) : 0;
  const to = isLast ? hours.findLastIndex((slots) => slots.length > 0) : hours.length;
  const skipped = hours.findIndex((slots, hour) => hour > from && hour < to && slots.length === 0);
  const isFullHour = skipped >= 0 || (!isFirst && !isLast && hours[0]?.length === 0);
  return isFullHour ? { kind: 'skips', hour: Math.max(skipped, 0) } : null;
}

export type RunningNow = 'runs' | 'stopped' | 'not-started' | 'over' | 'hour-off' | 'no-hours';

export function flightIsOver(campaign: JsonObject, { nowMs, serviceZone }: Clocks): boolean {
  return serviceMinute(nowMs, serviceZone) >= flightMinutes(campaign).until;
}

export function runningNow(campaign: JsonObject, clocks: Clocks): RunningNow {
  const { nowMs, serviceZone } = clocks;
  if (!runs(own(campaign, 'status'))) return 'stopped';
  if (flightIsOver(campaign, clocks)) return 'over';
  if (serviceMinute(nowMs, serviceZone) < flightMinutes(campaign).from) return 'not-started';
  if (scheduleOf(campaign)(nowMs)) return 'runs';
  const week = decodeSchedule(own(campaign, 'shedule'));
  return week !== null && !week.includes(1) ? 'no-hours' : 'hour-off';
}

const daysSearched = 9;

/**
 * The next time at which flight and schedule start to let the campaign run, or null. Ignores the status, and a stretch
 * that runs now.
 */
export function nextStart(campaign: JsonObject, { nowMs, serviceZone }: Clocks): number | null {
  const { from, until } = flightMinutes(campaign);
  const isScheduled = scheduleOf(campaign);
  const isOn = (atMs: number): boolean => {
    const minute = serviceMinute(atMs, serviceZone);
    return minute >= from && minute < until && isScheduled(atMs);
  };
  const minutesAhead = from - serviceMinute(nowMs, serviceZone);
  // A clock change may shift the start, so the search begins a day earlier.
  const daysAhead = Number.isFinite(minutesAhead) ? Math.floor(minutesAhead / minutesPerDay) - 1 : 0;
  const first = Math.floor(nowMs / quarterMs) * quarterMs + Math.max(0, daysAhead) * minutesPerDay * minuteMs;
  for (let atMs = first; atMs <= first + (daysSearched + 1) * minutesPerDay * minuteMs; atMs += quarterMs) {
    // Scheduled hours of every zone begin on a quarter hour. Only a flight can begin within one.
    const startMs = atMs + (from - serviceMinute(atMs, serviceZone)) * minuteMs;
    const candidates = startMs > atMs && startMs < atMs + quarterMs ? [atMs, startMs] : [atMs];
    const found = candidates.find((one) => one > nowMs && isOn(one) && !isOn(one - 1));
    if (found !== undefined) return found;
  }
  return null;
}

function scheduleOf(campaign: JsonObject): (atMs: number) => boolean {
  const isScheduled = own(campaign, 'enable_shedule') === 1;
  const week = isScheduled ? decodeSchedule(own(campaign, 'shedule')) : null;
  const zone = own(campaign, 'shedule_timezone');
  if (week === null || typeof zone !== 'string' || !isTimeZone(zone)) return () => true;
  return (atMs) => {
    const day = Math.floor(serviceMinute(atMs, zone) / minutesPerDay);
    return week[weekday(day) * hoursPerDay + serviceHour(atMs, zone)] === 1;
  };
}

export interface ReturnPreset {
  id: 'tomorrow' | 'weekend' | 'monday';
  atMs: number;
}

/** The times that are offered for the return of a pause, earliest first. They are wall times of the zone. */
export function returnPresets(nowMs: number, zone: string): ReturnPreset[] {
  const today = dayNumber(serviceDay(nowMs, zone).date) ?? 0;
  const monday = today + 7 - weekday(today);
  const wanted = [
    { id: 'tomorrow', day: today + 1, time: '08:00' },
    { id: 'weekend', day: monday, time: '00:00' },
    ...(monday === today + 1 ? [] : [{ id: 'monday', day: monday, time: '08:00' } as const]),
  ] as const;
  return wanted
    .flatMap(({ id, day, time }) => {
      const found = zonedDateTime({ date: dateOfDay(day), time, zone });
      return found === null ? [] : [{ id, atMs: found.atMs }];
    })
    .toSorted((one, other) => one.atMs - other.atMs);
}

/** `Mon 30 Nov 2026, 08:00` on the clock of the zone. */
export function returnMoment(atMs: number, zone: string): string {
  const { date, time } = serviceDay(atMs, zone);
  return `${dayAndDateText(date)}, ${time}`;
}

const daysAhead = 7;

/** The dates of today and the six days after it in the zone. */
export function weekAhead(nowMs: number, zone: string): string[] {
  const today = dayNumber(serviceDay(nowMs, zone).date) ?? 0;
  return Array.from({ length: daysAhead }, (_, index) => dateOfDay(today + index));
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** The next times at which a schedule becomes due, up to a week ahead. Skips days on which the clocks skip its time. */
export function runsAhead(schedule: TaskSchedule, nowMs: number): number[] {
  const isAhead = (atMs: number): boolean => atMs > nowMs && atMs <= nowMs + daysAhead * 86_400_000;
  if (schedule.type === 'once') return [Date.parse(schedule.at)].filter(isAhead);
  const { time, timezone: zone } = schedule;
  const today = dayNumber(serviceDay(nowMs, zone).date) ?? 0;
  return Array.from({ length: daysAhead + 1 }, (_, index) => today + index)
    .filter(
      (day) => schedule.type === 'daily' || schedule.days.some((name) => weekdays[weekday(day)] === name),
    )
    .flatMap((day) => zonedDateTime({ date: dateOfDay(day), time, zone })?.atMs ?? [])
    .filter(isAhead);
}
