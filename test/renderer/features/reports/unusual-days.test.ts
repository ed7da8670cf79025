import { expect, test } from 'vitest';
import { markerOf, unusualIn } from '#renderer/features/reports/figures/unusual-days.tsx';
import { addDays, datesIn, type DayRange } from '#shared/reports/index.ts';
import type { ReportPage } from '#shared/app-api/index.ts';
import { page } from './stores/support.ts';

const range = { from: '2026-11-15', to: '2026-11-21' };
const before = { from: addDays(range.from, -7), to: addDays(range.from, -1) };

/** Days of $100, and of $20 on the days in `low`. */
const days = (of: DayRange, low: readonly string[] = []): ReportPage['days'] =>
  datesIn(of).map((date) => ({ date, values: ['500', low.includes(date) ? '20' : '100', '0.2'] }));

const changed = (change: Partial<ReportPage>, metric = 'net_revenue'): string[] => {
  const head = page({ range, days: days(range, ['2026-11-19']), comparedDays: days(before), ...change });
  return unusualIn('xml', metric, head).map(({ date }) => date);
};

test('a day outside the usual range of the shown and compared days is marked as unusual', () => {
  expect(changed({})).toEqual(['2026-11-19']);
  expect(changed({}, 'net_clicks')).toEqual([]);
  const [day] = unusualIn(
    'xml',
    'net_revenue',
    page({ range, days: days(range, ['2026-11-19']), comparedDays: days(before) }),
  );
  expect(day && markerOf(day)).toEqual({
    id: '2026-11-19',
    date: '2026-11-19',
    label: 'Net revenue below its usual range',
  });
});

const { state } = page();

test.each<[what: string, change: Partial<ReportPage>]>([
  ['on seven days alone', { comparedDays: [] }],
  ['while days are read', { state: { ...state, state: 'reading' } }],
  ['while days are missing', { state: { ...state, partial: true } }],
  ['after a failed reading', { state: { ...state, state: 'failed' } }],
  ['of a day that has not ended', { incompleteDay: '2026-11-19' }],
  [
    'of compared days, which the chart does not name',
    { days: days(range), comparedDays: days(before, [before.from]) },
  ],
  ['of days a year ago', { comparedDays: days({ from: '2025-11-16', to: '2025-11-22' }) }],
])('no day is marked %s', (_what, change) => {
  expect(changed(change)).toEqual([]);
});

test('no day is marked for a column that only the service defines', () => {
  const columns = page().columns.map((column) => ({
    ...column,
    id: column.id === 'net_revenue' ? 'bids' : column.id,
  }));
  expect(changed({ columns }, 'bids')).toEqual([]);
});
