import {
  dayNumber,
  decodeSchedule,
  flightEnd,
  flightStart,
  type ServiceMoment,
  runs,
  serviceDay,
  weekday,
} from '../campaign/index.ts';
import { type JsonObject, own } from '../lib/json/json-value.ts';

/** One moment on every clock: the service's, and those of the campaigns' schedules. */
export interface Moment {
  /** On the service's clock. */
  today: ServiceMoment;
  /** Hour of the week in a zone, from 0, Monday first; null for an unknown zone. */
  hourOfWeek(zone: string): number | null;
}

/** Returns a moment; each zone is worked out once. Throws a RangeError for an unknown service zone. */
export function momentAt(nowMs: number, serviceZone: string): Moment {
  const known = new Map<string, number | null>();
  return {
    today: serviceDay(nowMs, serviceZone),
    hourOfWeek(zone) {
      const found = known.get(zone) ?? hourIn(nowMs, zone);
      known.set(zone, found);
      return found;
    },
  };
}

function hourIn(nowMs: number, zone: string): number | null {
  try {
    const { date, time } = serviceDay(nowMs, zone);
    return weekday(dayNumber(date) ?? 0) * 24 + Number(time.slice(0, 2));
  } catch {
    return null;
  }
}

/** The days from today to the last day of the flight, on the service's clock: 0 for today, negative after it; null without an end. */
export function daysUntilEnd(campaign: JsonObject, { today }: Moment): number | null {
  const end = flightEnd(campaign);
  return end === null ? null : end.day - (dayNumber(today.date) ?? 0);
}

/**
 * True if the campaign runs at this moment: its status lets it, its flight has begun and is not over on the service's clock, and the
 * hour is on in its schedule's own zone. An hour in which the flight begins or ends counts; a schedule that is off, of unknown shape
 * or in an unknown zone is always on, as for money at risk.
 */
export function runsAt(campaign: JsonObject, moment: Moment): boolean {
  if (!runs(own(campaign, 'status'))) return false;
  const { today } = moment;
  const now = { day: dayNumber(today.date) ?? 0, hour: Number(today.time.slice(0, 2)) };
  const start = flightStart(campaign, today);
  if (start.day > now.day || start.hour > now.hour) return false;
  const end = flightEnd(campaign);
  if (end !== null && (end.day < now.day || (end.day === now.day && end.hour < now.hour))) return false;
  return isScheduled(campaign, moment);
}

function isScheduled(campaign: JsonObject, moment: Moment): boolean {
  const isOn = own(campaign, 'enable_shedule') === 1;
  const week = isOn ? decodeSchedule(own(campaign, 'shedule')) : null;
  const zone = own(campaign, 'shedule_timezone');
  if (week === null || typeof zone !== 'string') return true;
  const hour = moment.hourOfWeek(zone);
  return hour === null || week[hour] === 1;
}
