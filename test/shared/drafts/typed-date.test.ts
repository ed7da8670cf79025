import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber, serviceDay, weekday } from '#shared/campaign/index.ts';
import { dateAfter, readTypedDate, type TypedDate } from '#shared/drafts/index.ts';
import { runs } from '#test/setup/property-runs.ts';

const date = (text: string): TypedDate => ({ kind: 'date', date: text });
const shift = (days: number): TypedDate => ({ kind: 'shift', days });

describe('a typed date', () => {
  // A Sunday.
  const today = '2026-11-29';

  test.each<[string, TypedDate]>([
    ['2026-12-31', date('2026-12-31')],
    [' 2028-02-29 ', date('2028-02-29')],
    ['2026/12/31', date('2026-12-31')],
    ['31.12.2026', date('2026-12-31')],
    ['31/12/2026', date('2026-12-31')],
    ['12/31/2026', date('2026-12-31')],
    ['5/5/2027', date('2027-05-05')],
    ['31 Dec 2026', date('2026-12-31')],
    ['Dec 31, 2026', date('2026-12-31')],
    ['31 december', date('2026-12-31')],
    // Without a year, the next such day is meant.
    ['29 Nov', date('2026-11-29')],
    ['28 Nov', date('2027-11-28')],
    ['29 Feb', date('2028-02-29')],
    ['today', date('2026-11-29')],
    ['Tomorrow', date('2026-11-30')],
    ['mon', date('2026-11-30')],
    ['Saturday', date('2026-12-05')],
    // Today's weekday means the day in a week, because today has its own word.
    ['Sun', date('2026-12-06')],
    ['end of month', date('2026-11-30')],
    ['End of the month', date('2026-11-30')],
    ['end of next month', date('2026-12-31')],
    ['end of week', date('2026-11-29')],
    ['end of quarter', date('2026-12-31')],
    ['end of year', date('2026-12-31')],
    ['', { kind: 'empty' }],
    ['  ', { kind: 'empty' }],
  ])('%s', (typed, expected) => expect(readTypedDate(typed, today)).toEqual(expected));

  test.each<[string, TypedDate]>([
    ['+14d', shift(14)],
    ['14d', shift(14)],
    ['+14', shift(14)],
    ['+ 14 days', shift(14)],
    ['-7d', shift(-7)],
    ['−1 week', shift(-7)],
    ['+2w', shift(14)],
    ['+3650d', shift(3650)],
  ])('%s moves a date by days', (typed, expected) => expect(readTypedDate(typed, today)).toEqual(expected));

  test.each<[string, RegExp]>([
    ['2026-02-30', /no such day/],
    ['31 Nov', /no such day/],
    ['29 Feb 2027', /no such day/],
    ['3/4/2026', /can be read in two ways/],
    ['+1m', /days or weeks/],
    ['+3651d', /at most 3,650 days/],
    ['-600w', /at most 3,650 days/],
    ['0d', /at least one day/],
    ['14', /Enter a date/],
    ['+', /Enter a date/],
    ['someday', /Enter a date/],
    ['end of time', /Enter a date/],
    ['constructor', /Enter a date/],
    ['31 constructor', /Enter a date/],
  ])('%s is refused with a remedy', (typed, message) => {
    const read = readTypedDate(typed, today);
    expect(read.kind).toBe('wrong');
    expect(read.kind === 'wrong' && read.message).toMatch(message);
  });

  test.each<[string, string, string, string]>([
    // The service's day counts, whatever day it is in other zones.
    ['2026-11-30T23:30:00Z', 'UTC', 'today', '2026-11-30'],
    ['2026-11-30T23:30:00Z', 'Pacific/Auckland', 'today', '2026-12-01'],
    ['2026-11-30T23:30:00Z', 'Pacific/Auckland', 'end of month', '2026-12-31'],
    ['2026-12-01T04:30:00Z', 'America/New_York', 'end of month', '2026-11-30'],
    ['2026-12-01T04:30:00Z', 'America/New_York', 'Tue', '2026-12-01'],
    // Nights in which the clocks change: days of 23 and 25 hours count as one day.
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', 'tomorrow', '2026-03-30'],
    ['2026-03-28T22:59:00Z', 'Europe/Berlin', 'tomorrow', '2026-03-29'],
    ['2026-10-24T22:30:00Z', 'Europe/Berlin', 'tomorrow', '2026-10-26'],
    ['2026-11-01T03:59:00Z', 'America/New_York', 'Sun', '2026-11-01'],
    ['2026-11-01T04:00:00Z', 'America/New_York', 'Sun', '2026-11-08'],
    ['2026-10-03T15:00:00Z', 'Australia/Lord_Howe', 'tomorrow', '2026-10-05'],
  ])('at %s in %s, %s is %s', (moment, zone, typed, expected) => {
    expect(readTypedDate(typed, serviceDay(Date.parse(moment), zone).date)).toEqual(date(expected));
  });

  test('a shift counts calendar days in every time zone and across clock changes', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
    const moments = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2090-01-01') });
    const days = fc.integer({ min: -3_650, max: 3_650 }).filter((count) => count !== 0);
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), days, (nowMs, zone, count) => {
        const { date: from } = serviceDay(nowMs, zone);
        const typed = `${count > 0 ? '+' : ''}${count}d`;
        expect(readTypedDate(typed, from)).toEqual(shift(count));
        expect(dayNumber(dateAfter(from, count))).toBe((dayNumber(from) ?? 0) + count);
      }),
      runs(500),
    );
  });

  test('a weekday means its next date, and an end is the day before', () => {
    const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    const dayOf = (typed: string, from: string): number => {
      const read = readTypedDate(typed, from);
      return read.kind === 'date' ? (dayNumber(read.date) ?? NaN) : NaN;
    };
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 6 }), (moment, at) => {
        const from = moment.toISOString().slice(0, 10);
        const now = dayNumber(from) ?? 0;
        const named = dayOf(names[at] ?? '', from);
        expect(weekday(named)).toBe(at);
        expect(named - now).toBeGreaterThan(0);
        expect(named - now).toBeLessThan(8);
        const end = dayOf('end of month', from);
        expect(dateAfter(from, end - now).slice(0, 7)).toBe(from.slice(0, 7));
        expect(dateAfter(from, end - now + 1)).toMatch(/-01$/u);
        expect(dayOf(from, '2000-01-01')).toBe(now);
      }),
      runs(500),
    );
  });
});
