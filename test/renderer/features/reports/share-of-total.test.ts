import { expect, test } from 'vitest';
import { shareOfTotal } from '#renderer/features/reports/stores/table-file.ts';
import type { ReportPage, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { page, row } from './stores/support.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const query: ReportQuery = {
  source: { kind: 'xml', tid: 4711 },
  range: { preset: 'this-month' },
  comparison: 'none',
  includeToday: false,
  levels: ['date', 'geo'],
  only: [],
  excluded: [],
  search: '',
  sort: { column: 'net_clicks', descending: true },
};
const [yesterday, today] = ['2026-11-20', '2026-11-21'];
const counted = { from: '2026-11-15', to: yesterday };

/** Returns the texts in the column of shares for these rows and for the total row. */
function shares(rows: ReportRow[], change: Partial<ReportPage>): (string | null)[] {
  const { of, foot } = shareOfTotal(
    query,
    page({ incompleteDay: today, counted, ...change }),
    defaultFormats,
  );
  return [...rows.map((shown) => of(shown).text), foot];
}

test('today and the rows inside it have no share of a total that excludes today', () => {
  const rows = [row([yesterday], ['75']), row([today], ['3']), row([today, 'BR'], ['2'])];
  expect(shares(rows, { totals: ['100'] })).toEqual(['75.0%', '—', '—', '100%']);
  const everyDay = { totals: ['100'], counted: { from: '2026-11-15', to: today } };
  expect(shares(rows, everyDay)).toEqual(['75.0%', '3.0%', '2.0%', '100%']);
});

test('rows have no shares of a total that is zero or unknown', () => {
  expect(shares([row([yesterday], ['0'])], { totals: ['0'] })).toEqual(['—', '—']);
  expect(shares([row([yesterday], [null])], { totals: [null] })).toEqual(['—', '—']);
  expect(shareOfTotal(query, null, defaultFormats).foot).toBeNull();
});

test('an excluded row has no share, and a bar is no longer than the total', () => {
  expect(shares([{ ...row(['x'], ['5']), excluded: true }], { totals: ['10'] })).toEqual(['—', '100%']);
  const { of } = shareOfTotal(query, page({ totals: ['10'] }), defaultFormats);
  expect(['5', '-5', '15'].map((clicks) => of(row(['x'], [clicks])).part)).toEqual([0.5, 0, 1]);
});
