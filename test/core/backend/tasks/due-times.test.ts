import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latestDue, nextDue, nextDueTimes, weekdays } from '#core/backend/tasks/schedule.ts';
import type { Schedule } from '#core/backend/tasks/schedule.ts';
import { runs } from '#test/setup/property-runs.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();
const daily = (time: string, timezone: string): Schedule => ({ type: 'daily', time, timezone });
const due = (schedule: Schedule, after: string, count: number) =>
  nextDueTimes(schedule, at(after), count).map(iso);

/** Formats a zone's local time, for example `2026-03-29 02:30:00`, by other means than the code under test. */
function wallClock(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => format.format(ms);
}

describe('a one-time task', () => {
  const once: Schedule = { type: 'once', at: '2027-03-01T09:00:00+01:00' };

  test('has exactly one due time', () => {
    expect(due(once, '2027-01-01T00:00:00Z', 3)).toEqual(['2027-03-01T08:00:00.000Z']);
    expect(nextDue(once, at('2027-03-01T07:59:59.999Z'))).toBe(at('2027-03-01T08:00:00Z'));
    expect(nextDue(once, at('2027-03-01T08:00:00Z'))).toBeNull();
  });
});

describe('when clocks change,', () => {
  test.each([
    {
      night: 'Berlin’s clock goes forward at 02:00',
      schedule: daily('02:30', 'Europe/Berlin'),
      after: '2027-03-27T00:00:00Z',
      expected: ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30'],
    },
    {
      night: 'Berlin’s clock goes back at 03:00',
      schedule: daily('02:30', 'Europe/Berlin'),
      after: '2027-10-30T00:00:00Z',
      expected: ['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30'],
    },
    {
      night: 'Cairo’s clock goes forward at midnight',
      schedule: daily('00:00', 'Africa/Cairo'),
      after: '2027-04-28T22:30:00Z',
      expected: ['2027-04-29T22:00', '2027-04-30T21:00', '2027-05-01T21:00'],
    },
    {
      night: 'Apia skips a day',
      schedule: daily('12:00', 'Pacific/Apia'),
      after: '2011-12-29T00:00:00Z',
      expected: ['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00'],
    },
  ])('a daily task is due once a day: $night', ({ schedule, after, expected }) => {
    expect(due(schedule, after, 3)).toEqual(expected.map((text) => `${text}:00.000Z`));
  });

  test('a task in the hour that occurs twice is due only once', () => {
    const schedule = daily('02:30', 'Europe/Berlin');
    for (const after of ['2027-10-31T00:30:00Z', '2027-10-31T01:00:00Z', '2027-10-31T01:30:00Z']) {
      expect(due(schedule, after, 1)).toEqual(['2027-11-01T01:30:00.000Z']);
    }
  });
});

describe('a weekly task', () => {
  test('is due on its days only, in its time zone', () => {
    const schedule: Schedule = {
      type: 'weekly',
      days: ['sun', 'mon'],
      time: '23:30',
      timezone: 'America/New_York',
    };
    expect(due(schedule, '2026-11-21T12:00:00Z', 4)).toEqual([
      '2026-11-23T04:30:00.000Z',
      '2026-11-24T04:30:00.000Z',
      '2026-11-30T04:30:00.000Z',
      '2026-12-01T04:30:00.000Z',
    ]);
  });
});

describe('after a pause', () => {
  test('the latest due time counts and earlier ones are reported as missed', () => {
    const schedule = daily('09:00', 'Etc/UTC');
    const first = at('2026-11-20T09:00:00Z');
    expect(latestDue(schedule, first, first)).toEqual({
      dueMs: first,
      missed: 0,
      nextMs: at('2026-11-21T09:00:00Z'),
    });
    expect(latestDue(schedule, first, at('2026-11-24T10:00:00Z'))).toEqual({
      dueMs: at('2026-11-24T09:00:00Z'),
      missed: 4,
      nextMs: at('2026-11-25T09:00:00Z'),
    });
  });
});

const zones = [
  'Etc/UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Niue',
];
const twoDigits = (value: number) => String(value).padStart(2, '0');
const schedules = fc
  .record({
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    minute: fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 239 })),
    timezone: fc.constantFrom(...zones),
  })
  .map(({ days, minute, timezone }): Schedule & { type: 'weekly' } => ({
    type: 'weekly',
    days,
    time: `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
    timezone,
  }));
const moments = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2036-01-01T00:00:00Z') });

describe('for every schedule and moment', () => {
  test('due times increase, fall on the right day and have the wanted time, or the end of a gap', () => {
    const property = fc.property(schedules, moments, (schedule, afterMs) => {
      const shown = wallClock(schedule.timezone);
      let before = afterMs;
      for (const dueMs of nextDueTimes(schedule, afterMs, 4)) {
        expect(dueMs).toBeGreaterThan(before);
        before = dueMs;
        const [date = '', time = ''] = shown(dueMs).split(' ');
        const wanted = `${schedule.time}:00`;
        if (time !== wanted) {
          // A skipped time: one millisecond earlier the clocks showed an earlier time, and now they show a later one.
          const [, timeBefore = ''] = shown(dueMs - 1).split(' ');
          expect(timeBefore < wanted || timeBefore > time).toBe(true);
          expect(time > wanted).toBe(true);
        }
        const day = weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7];
        expect(schedule.days).toContain(day);
      }
    });
    fc.assert(property, runs(600));
  });

  test('no due time is missing or repeated around any change of the clocks', () => {
    const minuteMs = 60_000;
    const property = fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 239 }),
      fc.integer({ min: 2024, max: 2034 }),
      (timezone, minute, year) => {
        const shown = wallClock(timezone);
        const time = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
        for (const change of changes(shown, year)) {
          const [fromMs, toMs] = [change - 1_000 * minuteMs, change + 1_000 * minuteMs];
          // Finds, minute by minute, the first minute of a day that shows this time or a later one.
          const expected: number[] = [];
          let seen = shown(fromMs).slice(0, 10);
          if (shown(fromMs).slice(11, 16) < time) seen = '';
          for (let ms = fromMs; ms <= toMs; ms += minuteMs) {
            const [date = '', clock = ''] = shown(ms).split(' ');
            if (date > seen && clock.slice(0, 5) >= time) {
              seen = date;
              expected.push(ms);
            }
          }
          const found = nextDueTimes(daily(time, timezone), fromMs - 1, 5).filter((ms) => ms <= toMs);
          expect(found).toEqual(expected);
        }
      },
    );
    fc.assert(property, runs(25));
  });
});

/** Returns the minutes of a year at which the clocks of a zone jump. */
function changes(shown: (ms: number) => string, year: number): number[] {
  const hourMs = 3_600_000;
  const ahead = (ms: number) => at(`${shown(ms).replace(' ', 'T')}Z`) - ms;
  const found: number[] = [];
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += 24 * hourMs) {
    if (ahead(ms) === ahead(ms + 24 * hourMs)) continue;
    let change = ms;
    while (ahead(change) === ahead(ms)) change += 60_000;
    found.push(change);
  }
  return found;
}
