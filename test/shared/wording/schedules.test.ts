import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceDay, zonedDateTime } from '#shared/campaign/index.ts';
import type { TaskSchedule } from '#shared/contract/index.ts';
import { scheduleInWords, taskInWords } from '#shared/wording/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];

describe('a date and time in a time zone', () => {
  test('is the moment at which local clocks show it, with their offset', () => {
    const minute = fc.integer({
      min: Date.parse('2020-01-01') / 60_000,
      max: Date.parse('2035-01-01') / 60_000,
    });
    fc.assert(
      fc.property(minute, fc.constantFrom(...zones), (minutes, zone) => {
        const { date, time } = serviceDay(minutes * 60_000, zone);
        const found = zonedDateTime({ date, time, zone });
        expect(found).not.toBeNull();
        expect(serviceDay(found?.atMs ?? 0, zone)).toMatchObject({ date, time });
        expect(Date.parse(found?.at ?? '')).toBe(found?.atMs);
        // For an hour that occurs twice, the first is found.
        expect(found?.atMs).toBeLessThanOrEqual(minutes * 60_000);
      }),
    );
  });

  test('does not exist if clocks skip it or the date or time zone is invalid', () => {
    const zone = 'Europe/Berlin';
    expect(zonedDateTime({ date: '2027-03-28', time: '02:30', zone })).toBeNull();
    expect(zonedDateTime({ date: '2027-03-28', time: '03:30', zone })?.at).toBe('2027-03-28T03:30:00+02:00');
    expect(zonedDateTime({ date: '2027-02-30', time: '09:00', zone })).toBeNull();
    expect(zonedDateTime({ date: '2027-02-20', time: '09:00', zone: 'Mars/Olympus' })).toBeNull();
  });
});

describe('a task in words', () => {
  test.each<[TaskSchedule, string]>([
    [{ type: 'daily', time: '09:00', timezone: 'Europe/Berlin' }, 'Every day at 09:00 (Europe/Berlin)'],
    [
      { type: 'weekly', days: ['fri', 'mon', 'wed'], time: '23:59', timezone: 'UTC' },
      'Every Monday, Wednesday and Friday at 23:59 (UTC)',
    ],
    [
      {
        type: 'weekly',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        time: '00:00',
        timezone: 'UTC',
      },
      'Every day at 00:00 (UTC)',
    ],
    [{ type: 'once', at: '2027-03-01T09:00:00+01:00' }, 'Once, on 1 Mar 2027, 09:00 (UTC+01:00)'],
    [{ type: 'once', at: '2027-03-01T08:00:00Z' }, 'Once, on 1 Mar 2027, 08:00 (UTC)'],
  ])('states when it runs: %o', (schedule, words) => {
    expect(scheduleInWords(schedule)).toBe(words);
  });

  test('shows unknown kinds and schedules unchanged and harmless', () => {
    const reported = taskInWords(
      { kind: 'wipe\u202Eall', schedule: { type: 'lunar' }, parameters: null },
      defaultFormats,
    );
    expect(reported).toEqual({
      what: 'Task of the kind “wipe⟨U+202E⟩all”',
      when: 'Unknown',
      kind: 'unknown',
    });
    // A report with an unknown member may do more than the words tell.
    const parameters = { report: 'search', lastDays: 1, format: 'csv', deleteAfter: true };
    expect(taskInWords({ kind: 'report_export', schedule: null, parameters }, defaultFormats).kind).toBe(
      'unknown',
    );
  });
});
