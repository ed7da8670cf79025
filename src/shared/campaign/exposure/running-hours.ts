import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { dayNumber, weekday } from '../calendar.ts';
import { decodeSchedule, hoursPerDay, hoursPerWeek } from '../schedule.ts';
import { isTimeZone, type ServiceMoment } from '../service-day.ts';

/** Longer than a year, so that every clock change of both zones lies within. */
const daysOfClocks = 400;

/** When a campaign's schedule lets it run, on the service's clock. */
export interface RunningHours {
  /** True when it may run in any of the hours of a day (days since 1970), both included. */
  runs(day: number, from: number, to: number): boolean;
  /** From this day on every week is like the one before. */
  steadyFrom: number;
}

/**
 * The weekly schedule, kept in the campaign's own zone, on the service's clock from today on. A service hour that
 * overlaps a scheduled one counts, and around a change of either clock both readings do: never too few. A schedule
 * that is off, of unknown shape or in an unknown zone runs always.
 */
export function runningHours(campaign: JsonObject, { date, zone }: ServiceMoment): RunningHours {
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

/** The service's hours that overlap a scheduled hour for any of these differences between the clocks. */
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

/** Something in minutes at the begin of a UTC day (days since 1970). */
export type MinutesAt = (day: number) => number;

/** Minutes that one zone's clock is ahead of another's. Null when this machine does not know a zone. */
function minutesAhead(zone: string, other: string): MinutesAt | null {
  if (!isTimeZone(zone) || !isTimeZone(other)) return null;
  const [theirs, ours] = [offsetOf(zone), offsetOf(other)];
  return (day) => theirs(day) - ours(day);
}

/** Minutes that a zone is ahead of UTC. Asking the machine is slow, so a quiet stretch of days is asked for at its ends. */
function offsetOf(zone: string): MinutesAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
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
