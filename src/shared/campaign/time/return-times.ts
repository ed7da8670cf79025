import type { TaskSchedule } from '../../contract/index.ts';
import { dayAndDateText } from '../../lib/date-text.ts';
import { dateOfDay, dayNumber, serviceDay, weekday, zonedDateTime } from './calendar.ts';

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
