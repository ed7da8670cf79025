import { expect, test } from 'vitest';
import { returnMoment, returnPresets, runsAhead, weekAhead } from '#shared/campaign/index.ts';

const presets = (now: string, zone: string): string[] =>
  returnPresets(Date.parse(now), zone).map(({ id, atMs }) => `${id}: ${returnMoment(atMs, zone)}`);

test.each([
  [
    'Friday evening',
    '2026-11-27T18:00:00Z',
    'UTC',
    ['tomorrow: Sat 28 Nov 2026, 08:00', 'weekend: Mon 30 Nov 2026, 00:00', 'monday: Mon 30 Nov 2026, 08:00'],
  ],
  [
    'a Sunday before a Monday',
    '2026-11-29T12:00:00Z',
    'UTC',
    ['weekend: Mon 30 Nov 2026, 00:00', 'tomorrow: Mon 30 Nov 2026, 08:00'],
  ],
  [
    'a Monday at the end of a month and year',
    '2026-12-28T07:00:00Z',
    'UTC',
    ['tomorrow: Tue 29 Dec 2026, 08:00', 'weekend: Mon 4 Jan 2027, 00:00', 'monday: Mon 4 Jan 2027, 08:00'],
  ],
  [
    'a day on which it is already Saturday in the time zone',
    '2026-11-27T18:00:00Z',
    'Asia/Tokyo',
    ['tomorrow: Sun 29 Nov 2026, 08:00', 'weekend: Mon 30 Nov 2026, 00:00', 'monday: Mon 30 Nov 2026, 08:00'],
  ],
])('offers the right return times on %s', (_what, now, zone, expected) => {
  expect(presets(now, zone)).toEqual(expected);
});

test.each([
  ['forward', '2026-03-27T18:00:00Z', '2026-03-30T06:00:00Z'],
  ['back', '2026-10-23T18:00:00Z', '2026-10-26T07:00:00Z'],
])('a weekend on which clocks go %s ends at 08:00 local time', (_way, now, expected) => {
  const monday = returnPresets(Date.parse(now), 'Europe/Berlin').find(({ id }) => id === 'monday');
  expect(new Date(monday!.atMs).toISOString()).toBe(new Date(expected).toISOString());
});

test('the days of the next week begin with today in the time zone', () => {
  expect(weekAhead(Date.parse('2026-11-27T18:00:00Z'), 'Asia/Tokyo')).toEqual([
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
  ]);
});

test('the returns of a week keep their local time and stop after seven days', () => {
  const now = Date.parse('2026-10-23T18:00:00Z');
  const iso = (runs: number[]): string[] => runs.map((ms) => new Date(ms).toISOString().slice(0, 16));
  const berlin = { time: '09:00', timezone: 'Europe/Berlin' };
  expect(iso(runsAhead({ type: 'weekly', days: ['sat', 'mon'], ...berlin }, now))).toEqual([
    '2026-10-24T07:00',
    '2026-10-26T08:00',
  ]);
  expect(runsAhead({ type: 'daily', ...berlin }, now)).toHaveLength(7);
  expect(runsAhead({ type: 'once', at: '2026-10-24T07:00:00Z' }, now)).toHaveLength(1);
  expect(runsAhead({ type: 'once', at: '2026-10-22T07:00:00Z' }, now)).toEqual([]);
  expect(runsAhead({ type: 'once', at: '' }, now)).toEqual([]);
});
