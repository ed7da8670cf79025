import { expect, test } from 'vitest';
import { drillDimensions } from '#renderer/stores/reports/drill-store.ts';
import {
  firstQuery,
  sortedBy,
  withComparison,
  withDifferenceToggled,
  withExcludedToggled,
  withLevels,
  withOnly,
  withoutOnly,
  withRange,
  withSource,
} from '#renderer/stores/reports/report-query.ts';

const xml = firstQuery({ kind: 'xml', tid: 7 });
const brazil = { dimension: 'geo', value: 'BR' };
const germany = { dimension: 'geo', value: 'DE' };

test('a second press on a column turns the sort round; names begin with the first, figures with the largest', () => {
  const byClicks = sortedBy(xml, 'gross_clicks');
  expect(byClicks.sort).toEqual({ column: 'gross_clicks', descending: true });
  expect(sortedBy(byClicks, 'gross_clicks').sort.descending).toBe(false);
  expect(sortedBy(xml, 'geo').sort).toEqual({ column: 'geo', descending: false });
});

test('excluded values are counted again by the same press, and by being shown alone', () => {
  const without = withExcludedToggled(xml, [brazil, germany]);
  expect(without.excluded).toEqual([brazil, germany]);
  expect(withExcludedToggled(without, [germany]).excluded).toEqual([brazil]);
  expect(withOnly(without, [brazil])).toMatchObject({ only: [brazil], excluded: [germany] });
  expect(withoutOnly(withOnly(xml, [brazil]), [brazil])).toEqual(xml);
});

test('another grouping of XML traffic ends filters that its rows do not have; rows of Search have them all', () => {
  const filtered = { ...xml, only: [brazil], excluded: [germany] };
  expect(withLevels(filtered, ['date'])).toMatchObject({ only: [], excluded: [] });
  expect(withLevels(filtered, ['geo'])).toMatchObject({ only: [brazil], excluded: [germany] });
  const search = { ...firstQuery({ kind: 'search', sid: null }), only: [brazil], excluded: [germany] };
  expect(withLevels(search, ['date'])).toMatchObject({ only: [brazil], excluded: [germany] });
});

test('a dimension of the service’s own is read with the grouping of the rows that have it', () => {
  const bySubid = withLevels(xml, ['subid']);
  expect(bySubid).not.toHaveProperty('grouping');
  const byTier = withLevels(bySubid, ['tier']);
  expect(byTier).toMatchObject({ levels: ['tier'], grouping: 'subid' });
  expect(withLevels(byTier, ['partner'])).toMatchObject({ levels: ['partner'], grouping: 'subid' });
  expect(withLevels(byTier, ['geo'])).not.toHaveProperty('grouping');
  const search = firstQuery({ kind: 'search', sid: null });
  expect(withLevels(search, ['tier'])).not.toHaveProperty('grouping');
});

test.each([
  [['date'], ['geo', 'subid']],
  [['geo'], ['date']],
  [['subid'], ['date']],
  [['tier'], []],
])('rows of XML traffic by %s are split by %s', (levels, splits) => {
  expect(drillDimensions({ ...xml, levels }, ['x'], ['date', 'geo', 'subid', 'tier'])).toEqual(splits);
});

test('days begin with the newest, unless a person has sorted the rows', () => {
  const byDay = withLevels(xml, ['date']);
  expect(byDay.sort).toEqual({ column: 'date', descending: true });
  expect(withLevels(byDay, ['geo']).sort).toEqual(xml.sort);
  const sorted = sortedBy(xml, 'gross_clicks');
  expect(withLevels(sorted, ['date']).sort).toEqual(sorted.sort);
});

test('a filter of the same dimension takes the place of the one before', () => {
  const subid = { dimension: 'subid', value: null };
  expect(withOnly(withOnly(withOnly(xml, [brazil]), [subid]), [germany]).only).toEqual([subid, germany]);
});

test('another source keeps days and comparison, and drops the values of the old one', () => {
  const narrowed = { ...withOnly(xml, [brazil]), comparison: 'year' as const };
  expect(withSource(narrowed, { kind: 'xml', tid: 8 })).toMatchObject({ only: [], comparison: 'year' });
  expect(withSource(narrowed, { kind: 'search', sid: null })).toMatchObject({
    levels: ['geo', 'feed'],
    comparison: 'year',
    sort: { column: 'revenue', descending: true },
  });
});

test.each([true, false])('other days leave “Include today” as it was: %s', (includeToday) => {
  for (const range of [
    { preset: 'today' },
    { preset: 'this-month' },
    { from: '2026-11-01', to: '2026-11-02' },
  ] as const) {
    expect(withRange({ ...xml, includeToday }, range)).toEqual({ ...xml, includeToday, range });
  }
});

test('a sort by a level ends with it', () => {
  expect(withLevels(sortedBy(xml, 'geo'), ['date']).sort.column).toBe('net_revenue');
});

test('rows stand in the order of changes for every figure, until that is switched off or nothing is compared', () => {
  const byChange = withDifferenceToggled(xml);
  expect(byChange.sort).toEqual({ column: 'net_revenue:difference', descending: true });
  expect(sortedBy(byChange, 'net_revenue').sort).toEqual({
    column: 'net_revenue:difference',
    descending: false,
  });
  expect(sortedBy(byChange, 'net_clicks').sort).toEqual({
    column: 'net_clicks:difference',
    descending: true,
  });
  expect(sortedBy(byChange, 'geo').sort).toEqual({ column: 'geo', descending: false });
  expect(withDifferenceToggled(sortedBy(xml, 'geo')).sort.column).toBe('net_revenue:difference');
  expect(withDifferenceToggled(byChange)).toEqual(xml);
  expect(withComparison(byChange, 'year').sort).toEqual(byChange.sort);
  expect(withComparison(byChange, 'none').sort).toEqual(xml.sort);
});
