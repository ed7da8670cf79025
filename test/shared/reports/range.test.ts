import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  comparedRange,
  comparisons,
  datesIn,
  daysIn,
  isWeekend,
  type RangePreset,
  rangePresets,
  recentDays,
  resolveRange,
} from '#shared/reports/index.ts';

it.each<[RangePreset, string, string, string]>([
  ['today', '2026-11-22', '2026-11-22', '2026-11-22'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['yesterday', '2028-03-01', '2028-02-29', '2028-02-29'],
  ['last7', '2026-11-22', '2026-11-15', '2026-11-21'],
  ['last7', '2027-01-03', '2026-12-27', '2027-01-02'],
  ['last14', '2026-11-22', '2026-11-08', '2026-11-21'],
  ['last30', '2026-03-31', '2026-03-01', '2026-03-30'],
  ['last90', '2026-11-22', '2026-08-24', '2026-11-21'],
  ['this-month', '2026-11-01', '2026-11-01', '2026-11-01'],
  ['this-month', '2026-11-22', '2026-11-01', '2026-11-22'],
  ['last-month', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['last-month', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['last-month', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['last-month', '2027-03-01', '2027-02-01', '2027-02-28'],
])('%s, requested on %s, is %s to %s', (preset, today, from, to) => {
  expect(resolveRange({ preset }, today)).toEqual({ from, to });
});

it('a range given by its days stays the same on any day', () => {
  expect(resolveRange({ from: '2026-01-01', to: '2026-02-01' }, '2026-11-22')).toEqual({
    from: '2026-01-01',
    to: '2026-02-01',
  });
});

describe('the compared days of a report', () => {
  const range = { from: '2026-11-09', to: '2026-11-22' };

  it.each([
    ['previous', range, { from: '2026-10-26', to: '2026-11-08' }],
    ['previous', { from: '2028-03-01', to: '2028-03-01' }, { from: '2028-02-29', to: '2028-02-29' }],
    ['weekdays', { from: '2026-11-20', to: '2026-11-22' }, { from: '2026-11-13', to: '2026-11-15' }],
    ['weekdays', { from: '2026-11-15', to: '2026-11-22' }, { from: '2026-11-01', to: '2026-11-08' }],
    ['year', range, { from: '2025-11-10', to: '2025-11-23' }],
    ['year', { from: '2028-02-29', to: '2028-02-29' }, { from: '2027-03-02', to: '2027-03-02' }],
  ] as const)('by %s of %o are %o', (comparison, days, expected) => {
    expect(comparedRange(days, comparison)).toEqual(expected);
  });

  it('do not exist without a comparison', () => {
    expect(comparedRange(range, 'none')).toBeNull();
  });
});

const date = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays('1970-01-01', days));
const ranges = fc
  .tuple(date, fc.integer({ min: 0, max: 400 }))
  .map(([from, days]) => ({ from, to: addDays(from, days) }));

it('are as many days, on the same weekdays for a week or a year of 52 weeks', () => {
  const property = fc.property(ranges, fc.constantFrom(...comparisons), (range, comparison) => {
    const compared = comparedRange(range, comparison);
    if (compared === null) return;
    expect(daysIn(compared)).toBe(daysIn(range));
    if (comparison === 'previous') expect(addDays(compared.to, 1)).toBe(range.from);
    if (comparison === 'weekdays') expect(compared.to < range.from).toBe(true);
    if (comparison !== 'previous')
      expect(new Date(compared.from).getUTCDay()).toBe(new Date(range.from).getUTCDay());
  });
  fc.assert(property);
});

it('a range lists every day once and in order, across leap days and month ends', () => {
  expect(datesIn({ from: '2028-02-28', to: '2028-03-01' })).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
  expect(datesIn({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
  const property = fc.property(ranges, (range) => {
    const dates = datesIn(range);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([daysIn(range), range.from, range.to]);
    expect(dates.slice(1).every((day, at) => day === addDays(dates[at]!, 1))).toBe(true);
  });
  fc.assert(property);
});

it('every preset ends on the current day, the day before, or the end of the previous month', () => {
  const property = fc.property(date, fc.constantFrom(...rangePresets), (today, preset) => {
    const { from, to } = resolveRange({ preset }, today);
    expect(from <= to && to <= today).toBe(true);
  });
  fc.assert(property);
});

it('a range of a number of days ends the day before, and uses a preset’s name if there is one', () => {
  const property = fc.property(date, fc.integer({ min: 1, max: 732 }), (today, length) => {
    const range = resolveRange(recentDays(length, today), today);
    expect([daysIn(range), range.to]).toEqual([length, addDays(today, -1)]);
  });
  fc.assert(property);
  expect([1, 7, 90, 91].map((length) => recentDays(length, '2026-11-22'))).toEqual([
    { preset: 'yesterday' },
    { preset: 'last7' },
    { preset: 'last90' },
    { from: '2026-08-23', to: '2026-11-21' },
  ]);
});

it('Saturdays and Sundays are recognised', () => {
  const week = datesIn({ from: '2026-11-16', to: '2026-11-22' });
  expect(week.map(isWeekend)).toEqual([false, false, false, false, false, true, true]);
});
