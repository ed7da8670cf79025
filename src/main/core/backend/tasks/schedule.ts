import { z } from 'zod';
import { assertNever } from '#shared/lib/assert-never.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give the time of day as HH:MM, from 00:00 to 23:59.')
  .describe('Time of day in the zone, HH:MM.');

const timezone = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'IANA name of the time zone, for example Europe/Berlin. A time that is left out when the clocks change runs at the next moment; one that comes twice runs once.',
  );

export const scheduleSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('once'),
      at: z.iso
        .datetime({
          offset: true,
          error: 'Give date, time and offset, for example 2027-03-01T09:00:00+01:00.',
        })
        .describe('Date, time and offset, for example 2027-03-01T09:00:00+01:00.'),
    })
    .describe('Once.'),
  z.strictObject({ type: z.literal('daily'), time, timezone }).describe('Every day at a time.'),
  z
    .strictObject({
      type: z.literal('weekly'),
      days: z.array(z.enum(weekdays)).min(1).max(weekdays.length).describe('Days of the week.'),
      time,
      timezone,
    })
    .describe('On some days of every week at a time.'),
]);

export type Schedule = z.infer<typeof scheduleSchema>;

const msPerDay = 86_400_000;
const msPerMinute = 60_000;
const allDays = new Set<number>(weekdays.keys());

type DueTimes = (afterMs: number) => number | null;

/**
 * A local time skipped by a clock change is due at the change; a repeated one is due once. Throws a RangeError for an unknown
 * zone.
 */
function dueTimes(schedule: Schedule): DueTimes {
  switch (schedule.type) {
    case 'once': {
      const atMs = Date.parse(schedule.at);
      return (afterMs) => (atMs > afterMs ? atMs : null);
    }
    case 'daily':
      return localTimes(schedule, allDays);
    case 'weekly':
      return localTimes(schedule, new Set(schedule.days.map((day) => weekdays.indexOf(day))));
    default:
      return assertNever(schedule);
  }
}

export function nextDue(schedule: Schedule, afterMs: number): number | null {
  return dueTimes(schedule)(afterMs);
}

export function nextDueTimes(schedule: Schedule, afterMs: number, count: number): number[] {
  const next = dueTimes(schedule);
  const found: number[] = [];
  for (let at = next(afterMs); at !== null && found.length < count; at = next(at)) found.push(at);
  return found;
}

/** `firstDueMs` must be a due time. `missed` counts the skipped due times before the latest. */
export function latestDue(
  schedule: Schedule,
  firstDueMs: number,
  nowMs: number,
): { dueMs: number; missed: number; nextMs: number | null } {
  const next = dueTimes(schedule);
  let dueMs = firstDueMs;
  let missed = 0;
  let nextMs = next(dueMs);
  while (nextMs !== null && nextMs <= nowMs) {
    dueMs = nextMs;
    missed += 1;
    nextMs = next(dueMs);
  }
  return { dueMs, missed, nextMs };
}

function localTimes(localTime: { time: string; timezone: string }, days: ReadonlySet<number>): DueTimes {
  const zone = createZone(localTime.timezone);
  const [hours = 0, minutes = 0] = localTime.time.split(':').map(Number);
  const timeOfDayMs = (hours * 60 + minutes) * msPerMinute;
  return (afterMs) => {
    // A clock change may move the due time of the previous day into this day.
    let day = Math.floor(zone.localMs(afterMs) / msPerDay) - 1;
    for (;;) {
      const dueMs = days.has(weekdayOf(day)) ? zone.momentOf(day * msPerDay + timeOfDayMs) : afterMs;
      if (dueMs > afterMs) return dueMs;
      day += 1;
    }
  };
}

/** Monday is 0. The offset of 3 days is needed because 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

interface Zone {
  /** Local time encoded as if UTC, so that division gives days and hours. */
  localMs(atMs: number): number;
  momentOf(localMs: number): number;
}

function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const localMs = (atMs: number): number => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wholeSeconds = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    // The formatted parts end at seconds. No zone differs from UTC by a fraction of a second.
    return wholeSeconds + (((atMs % 1000) + 1000) % 1000);
  };
  return { localMs, momentOf: (wanted) => momentOf(localMs, wanted) };
}

function momentOf(localMs: Zone['localMs'], wantedMs: number): number {
  const offsetAt = (atMs: number): number => localMs(atMs) - atMs;
  const [startMs, endMs] = [wantedMs - msPerDay, wantedMs + msPerDay];
  const [offsetBefore, offsetAfter] = [offsetAt(startMs), offsetAt(endMs)];
  const oldOffsetUtcMs = wantedMs - offsetBefore;
  if (offsetBefore === offsetAfter) return oldOffsetUtcMs;
  const changeMs = findFirst(startMs, endMs, (atMs) => offsetAt(atMs) !== offsetBefore);
  if (oldOffsetUtcMs < changeMs) return oldOffsetUtcMs;
  return Math.max(changeMs, wantedMs - offsetAfter);
}

/** Binary search for the first match. `matches` must be true at `high` and at all times after a match. */
function findFirst(low: number, high: number, matches: (atMs: number) => boolean): number {
  let [before, from] = [low, high];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (matches(middle)) from = middle;
    else before = middle;
  }
  return from;
}
