import { expect, test } from 'vitest';
import { drillDimensions } from '#renderer/features/reports/stores/beside-stores.ts';
import {
  firstQuery,
  sortedBy,
  valuesOf,
  valuesOfAll,
  withComparison,
  withCounted,
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

test('a second press on a column turns the sort round; names begin with the first, figures with the largest', () => {
  const byClicks = sortedBy(xml, 'gross_clicks');
  expect(byClicks.sort).toEqual({ column: 'gross_clicks', descending: true });
  expect(sortedBy(byClicks, 'gross_clicks').sort.descending).toBe(false);
  expect(sortedBy(xml, 'geo').sort).toEqual({ column: 'geo', descending: false });
});

test('excluded rows are counted again by the opposite press, and by being shown alone', () => {
  const without = withExcluded(xml, [[brazil], [germany]]);
  expect(without.excluded).toEqual([[brazil], [germany]]);
  expect(withCounted(without, [[germany]]).excluded).toEqual([[brazil]]);
  expect(withOnly(without, [brazil])).toMatchObject({ only: [brazil], excluded: [[germany]] });
  expect(withoutOnly(withOnly(xml, [brazil]), [brazil])).toEqual(xml);
});

const pivot = firstQuery({ kind: 'search', sid: null });
const seven = { dimension: 'feed', value: '7' };
const nine = { dimension: 'feed', value: '9' };
const inBrazil = valuesOf(pivot, ['BR', '7']);
const inGermany = valuesOf(pivot, ['DE', '7']);

test('a row inside another is excluded and shown with its parents', () => {
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
  ['that of its parent', [[brazil], inGermany], inBrazil, [inGermany]],
  ['that of its value alone, as earlier views have it', [[seven], [germany]], inBrazil, [[germany]]],
  ['those of all rows inside it', [inBrazil, inGermany], [brazil], [inGermany]],
  ['its own before those inside it', [[brazil], inBrazil], [brazil], [inBrazil]],
])('a row is counted again without %s', (_which, excluded, row, left) => {
  expect(withCounted({ ...pivot, excluded }, [row]).excluded).toEqual(left);
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
])('values show %s alone, or none do', (_which, paths, values) => {
  expect(valuesOfAll(pivot, paths)).toEqual(values);
});

test('another grouping of XML traffic ends filters that its rows do not have; rows of Search have them all', () => {
  const filtered = { ...xml, only: [brazil], excluded: [[germany]] };
  expect(withLevels(filtered, ['date'])).toMatchObject({ only: [], excluded: [] });
  expect(withLevels(filtered, ['geo'])).toMatchObject({ only: [brazil], excluded: [[germany]] });
  const search = { ...firstQuery({ kind: 'search', sid: null }), only: [brazil], excluded: [[germany]] };
  expect(withLevels(search, ['date'])).toMatchObject({ only: [brazil], excluded: [[germany]] });
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
