import { expect, test } from 'vitest';
import { drillDimensions } from '#renderer/features/reports/stores/beside-stores.ts';
import {
  firstQuery,
  sortedBy,
  valuesOf,
  valuesOfAll,
  withComparison,
  withoutExcluded,
  withDifferenceToggled,
  withExcluded,
  withLevels,
  withOnly,
  withoutOnly,
  withRange,
  withSource,
} from '#renderer/features/reports/stores/report-query.ts';

const xml = firstQuery({ kind: 'xml', tid: 7 });
const brazil = { dimension: 'geo', value: 'BR' };
const germany = { dimension: 'geo', value: 'DE' };

test('names sort from A to Z and figures from the largest, and a second press on a column reverses the order', () => {
  const byClicks = sortedBy(xml, 'gross_clicks');
  expect(byClicks.sort).toEqual({ column: 'gross_clicks', descending: true });
  expect(sortedBy(byClicks, 'gross_clicks').sort.descending).toBe(false);
  expect(sortedBy(xml, 'geo').sort).toEqual({ column: 'geo', descending: false });
});

test('excluded rows are included again on request, or by a filter that shows only them', () => {
  const without = withExcluded(xml, [[brazil], [germany]]);
  expect(without.excluded).toEqual([[brazil], [germany]]);
  expect(withoutExcluded(without, [[germany]]).excluded).toEqual([[brazil]]);
  expect(withOnly(without, [brazil])).toMatchObject({ only: [brazil], excluded: [[germany]] });
  expect(withoutOnly(withOnly(xml, [brazil]), [brazil])).toEqual(xml);
});

const pivot = firstQuery({ kind: 'search', sid: null });
const seven = { dimension: 'feed', value: '7' };
const nine = { dimension: 'feed', value: '9' };
const inBrazil = valuesOf(pivot, ['BR', '7']);
const inGermany = valuesOf(pivot, ['DE', '7']);

test('a nested row is excluded and shown together with its parents', () => {
  expect(inBrazil).toEqual([brazil, seven]);
  const without = withExcluded(pivot, [inBrazil]);
  expect(without.excluded).toEqual([inBrazil]);
  // If its parent is excluded as well, excluding the value adds nothing.
  expect(withExcluded(withExcluded(pivot, [[brazil]]), [inBrazil]).excluded).toEqual([[brazil]]);
  expect(withOnly(without, inBrazil)).toMatchObject({ only: [brazil, seven], excluded: [] });
  expect(withOnly(without, inGermany)).toMatchObject({ only: [germany, seven], excluded: [inBrazil] });
});

test.each([
  ['its own exclusion', [inBrazil, inGermany], inBrazil, [inGermany]],
  ['the exclusion of its parent', [[brazil], inGermany], inBrazil, [inGermany]],
  [
    'the exclusion of its value alone, which earlier views contain',
    [[seven], [germany]],
    inBrazil,
    [[germany]],
  ],
  ['the exclusions of all rows inside this row', [inBrazil, inGermany], [brazil], [inGermany]],
  ['its own exclusion before the exclusions inside this row', [[brazil], inBrazil], [brazil], [inBrazil]],
])('including a row again removes %s', (_which, excluded, row, left) => {
  expect(withoutExcluded({ ...pivot, excluded }, [row]).excluded).toEqual(left);
});

test.each([
  [
    'rows of one parent',
    [
      ['BR', '7'],
      ['BR', '9'],
    ],
    [brazil, seven, nine],
  ],
  [
    'equal rows of several parents',
    [
      ['BR', '7'],
      ['DE', '7'],
    ],
    [brazil, germany, seven],
  ],
  ['parents', [['BR'], ['DE']], [brazil, germany]],
  [
    'different rows of several parents',
    [
      ['BR', '7'],
      ['DE', '9'],
    ],
    null,
  ],
  ['a parent and a row of another', [['BR'], ['DE', '9']], null],
])('a filter by several values shows only %s, or is not possible', (_which, paths, values) => {
  expect(valuesOfAll(pivot, paths)).toEqual(values);
});

test('a new grouping of XML traffic removes filters by dimensions that its rows lack; Search keeps all filters', () => {
  const filtered = { ...xml, only: [brazil], excluded: [[germany]] };
  expect(withLevels(filtered, ['date'])).toMatchObject({ only: [], excluded: [] });
  expect(withLevels(filtered, ['geo'])).toMatchObject({ only: [brazil], excluded: [[germany]] });
  const search = { ...firstQuery({ kind: 'search', sid: null }), only: [brazil], excluded: [[germany]] };
  expect(withLevels(search, ['date'])).toMatchObject({ only: [brazil], excluded: [[germany]] });
});

test('a dimension that only the service defines is read with the grouping whose rows have it', () => {
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
])('rows of XML traffic by %s can be split by %s', (levels, splits) => {
  expect(drillDimensions({ ...xml, levels }, ['x'], ['date', 'geo', 'subid', 'tier'])).toEqual(splits);
});

test('days are sorted from the newest, unless a person has sorted the rows', () => {
  const byDay = withLevels(xml, ['date']);
  expect(byDay.sort).toEqual({ column: 'date', descending: true });
  expect(withLevels(byDay, ['geo']).sort).toEqual(xml.sort);
  const sorted = sortedBy(xml, 'gross_clicks');
  expect(withLevels(sorted, ['date']).sort).toEqual(sorted.sort);
});

test('a filter replaces the earlier filter of the same dimension', () => {
  const subid = { dimension: 'subid', value: null };
  expect(withOnly(withOnly(withOnly(xml, [brazil]), [subid]), [germany]).only).toEqual([subid, germany]);
});

test('a new source keeps days and comparison, and removes filters by values of the earlier source', () => {
  const narrowed = { ...withOnly(xml, [brazil]), comparison: 'year' as const };
  expect(withSource(narrowed, { kind: 'xml', tid: 8 })).toMatchObject({ only: [], comparison: 'year' });
  expect(withSource(narrowed, { kind: 'search', sid: null })).toMatchObject({
    levels: ['geo', 'feed'],
    comparison: 'year',
    sort: { column: 'revenue', descending: true },
  });
});

test.each([true, false])('a new date range keeps “Include today”: %s', (includeToday) => {
  for (const range of [
    { preset: 'today' },
    { preset: 'this-month' },
    { from: '2026-11-01', to: '2026-11-02' },
  ] as const) {
    expect(withRange({ ...xml, includeToday }, range)).toEqual({ ...xml, includeToday, range });
  }
});

test('the sort by a level ends when that level is removed', () => {
  expect(withLevels(sortedBy(xml, 'geo'), ['date']).sort.column).toBe('net_revenue');
});

test('sorting by change applies to every metric, until it is switched off or the comparison ends', () => {
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
