import { describe, expect, test } from 'vitest';
import { daysIn, nextStart, runningHours, runningNow, runningWeek } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const at = (text: string) => ({ nowMs: Date.parse(text), serviceZone: 'UTC' });

function campaign(change: JsonObject = {}): JsonObject {
  return { status: 1, enable_time: 0, enable_shedule: 0, shedule: [], shedule_timezone: 'UTC', ...change };
}

const officeHours = Array.from({ length: 168 }, (_, index) => {
  const hour = index % 24;
  return index < 120 && hour >= 8 && hour < 20 ? 1 : 0;
});

const scheduled = (zone: string, change: JsonObject = {}): JsonObject =>
  campaign({ enable_shedule: 1, shedule: officeHours, shedule_timezone: zone, ...change });

describe('in the next seven days', () => {
  test('every hour runs without a schedule and flight', () => {
    const now = at('2026-11-23T16:20:00Z');
    expect(runningHours(campaign(), now)).toBe(168);
    const days = daysIn(runningWeek(campaign(), now), 'UTC');
    expect(days).toHaveLength(8);
    expect(days[0]?.hours.slice(14, 18)).toEqual(['none', 'none', 'on', 'on']);
    expect(days[7]?.hours.slice(14, 17)).toEqual(['on', 'on', 'none']);
  });

  test('a schedule counts in its own time zone and is shown in the reader’s', () => {
    const now = at('2026-11-23T00:00:00Z');
    expect(runningHours(scheduled('America/New_York'), now)).toBe(60);
    const week = runningWeek(scheduled('America/New_York'), now);
    const [first] = daysIn(week, 'Europe/Berlin').slice(0, 1);
    expect(first?.date).toBe('2026-11-23');
    expect(first?.hours.findIndex((state) => state === 'on')).toBe(14);
    const here = daysIn(week, 'America/New_York').find(({ date }) => date === '2026-11-23');
    expect(here?.hours.findIndex((state) => state === 'on')).toBe(8);
  });

  test('a time zone with half hours shows hours that run partly', () => {
    const week = runningWeek(scheduled('UTC'), at('2026-11-23T00:00:00Z'));
    const day = daysIn(week, 'Asia/Kolkata').find(({ date }) => date === '2026-11-24');
    expect(day?.hours[13]).toBe('half');
    expect(day?.hours[14]).toBe('on');
    expect(day?.clockChange).toBeNull();
  });

  test('an hour is repeated when clocks go back, and skipped when they go forward', () => {
    const back = daysIn(runningWeek(campaign(), at('2026-10-23T12:00:00Z')), 'Europe/Berlin');
    expect(back.find(({ clockChange }) => clockChange !== null)).toMatchObject({
      date: '2026-10-25',
      clockChange: { kind: 'repeats', hour: 2 },
    });
    const forward = daysIn(runningWeek(campaign(), at('2027-03-26T12:00:00Z')), 'Europe/Berlin');
    expect(forward.find(({ clockChange }) => clockChange !== null)).toMatchObject({
      date: '2027-03-28',
      clockChange: { kind: 'skips', hour: 2 },
    });
    expect(forward.find(({ date }) => date === '2027-03-28')?.hours[2]).toBe('none');
  });

  test('hours outside the flight do not run', () => {
    const flight = {
      enable_time: 1,
      create: '2026-11-24',
      create_time: '06:00',
      expire: '2026-11-25',
      expire_time: '18:00',
    };
    expect(runningHours(campaign(flight), at('2026-11-23T12:00:00Z'))).toBe(36);
  });

  test('a schedule of unknown form or time zone counts as always on', () => {
    const now = at('2026-11-23T12:00:00Z');
    expect(runningHours(scheduled('UTC', { shedule: [1, 0] }), now)).toBe(168);
    expect(runningHours(scheduled('Mars/Olympus'), now)).toBe(168);
  });
});

describe('whether a campaign runs now', () => {
  const monday = at('2026-11-23T12:00:00Z');
  const sunday = at('2026-11-22T12:00:00Z');

  test.each([
    ['runs', scheduled('UTC'), monday],
    ['stopped', scheduled('UTC', { status: 3 }), monday],
    ['hour-off', scheduled('UTC'), sunday],
    ['no-hours', scheduled('UTC', { shedule: officeHours.map(() => 0) }), monday],
    ['not-started', campaign({ enable_time: 1, create: '2026-12-01', create_time: '00:00' }), monday],
    [
      'over',
      campaign({ enable_time: 1, create: '2026-11-01', expire: '2026-11-22', expire_time: '23:59' }),
      monday,
    ],
  ] as const)('is stated as “%s”', (reason, of, now) => {
    expect(runningNow(of, now)).toBe(reason);
  });
});

describe('a flight counts to the minute:', () => {
  const now = at('2026-11-23T10:45:00Z');
  const from = (create_time: string, more: JsonObject = {}) =>
    campaign({ enable_time: 1, create: '2026-11-23', create_time, ...more });
  const until = (expire_time: string) =>
    campaign({ enable_time: 1, create: '2026-11-01', expire: '2026-11-23', expire_time });

  test.each([
    ['it ended at 10:30', until('10:30'), 'over', null],
    ['it ends now', until('10:45'), 'over', null],
    ['it ends at 10:46', until('10:46'), 'runs', null],
    ['it begins now', from('10:45'), 'runs', null],
    ['it begins at 10:46', from('10:46'), 'not-started', '10:46'],
    ['it begins at 11:20', from('11:20'), 'not-started', '11:20'],
    [
      'it begins in an hour that is off',
      from('11:20', { enable_shedule: 1, shedule: officeHours.map((on, hour) => (hour === 11 ? 0 : on)) }),
      'not-started',
      '12:00',
    ],
    [
      'an hour of its zone begins at a quarter',
      scheduled('Asia/Kathmandu', { shedule: officeHours.map((_on, hour) => (hour === 17 ? 1 : 0)) }),
      'hour-off',
      '11:15',
    ],
  ] as const)('%s', (_title, of, reason, next) => {
    expect(runningNow(of, now)).toBe(reason);
    const start = nextStart(of, now);
    expect(start === null ? null : new Date(start).toISOString().slice(11, 16)).toBe(next);
  });
});

describe('the next start of a campaign', () => {
  test('is the next active hour after an inactive one', () => {
    expect(nextStart(scheduled('UTC'), at('2026-11-21T12:00:00Z'))).toBe(Date.parse('2026-11-23T08:00:00Z'));
    expect(nextStart(scheduled('UTC'), at('2026-11-23T12:00:00Z'))).toBe(Date.parse('2026-11-24T08:00:00Z'));
  });

  test('may be the start of a flight months ahead', () => {
    const flight = campaign({ enable_time: 1, create: '2027-06-01', create_time: '09:00' });
    expect(nextStart(flight, at('2026-11-23T12:00:00Z'))).toBe(Date.parse('2027-06-01T09:00:00Z'));
  });

  test('does not exist for a campaign that never stops or whose flight has ended', () => {
    const now = at('2026-11-23T12:00:00Z');
    expect(nextStart(campaign(), now)).toBeNull();
    expect(
      nextStart(campaign({ enable_time: 1, create: '2026-01-01', expire: '2026-02-01' }), now),
    ).toBeNull();
  });
});
