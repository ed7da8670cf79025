import { expect, test } from 'vitest';
import { createHeatStore, heatOf } from '#renderer/features/reports/stores/heat-store.ts';
import { firstQuery } from '#renderer/features/reports/stores/report-query.ts';
import { withBlock, withoutFar } from '#renderer/features/reports/stores/report-rows.ts';
import type { ReportRow } from '#shared/app-api/index.ts';
import { page, row } from './support.ts';

const query = firstQuery({ kind: 'xml', tid: 7 });
const { rows: _none, ...head } = page();

/** A row of the first level with clicks, revenue and EPC. */
const cells = (name: string, clicks: string | null, epc: string | null): ReportRow =>
  row([name], [clicks, null, epc]);

/** Blocks of a hundred rows each; these are the first blocks. */
const blocksOf = (...blocks: ReportRow[][]) =>
  blocks.reduce<ReturnType<typeof withBlock> | null>(
    (rows, block, at) => withBlock(rows, at, page({ rows: block, rowCount: 5_000 })),
    null,
  ) ?? withBlock(null, 0, page());

test('sums are shaded from zero and ratios from the smallest value, separately on each level', () => {
  const store = createHeatStore();
  const [half, most] = [cells('BR', '50', '0.5'), cells('US', '100', '1')];
  const inside = row(['US', '7'], ['10', null, null]);
  const excluded = { ...cells('DE', '900', '9'), excluded: true };
  store.getState().see({ query, head, rows: blocksOf([half, most, inside, excluded]) });
  const shade = (of: ReportRow, at: number): number | null => heatOf(store.getState(), of, at);
  expect([half, most, inside, excluded].map((of) => shade(of, 0))).toEqual([0.5, 1, 1, null]);
  expect([half, most].map((of) => shade(of, 2))).toEqual([0, 1]);
  expect(shade(half, 1)).toBeNull();
});

test('a block of rows extends the scale of its report, is evaluated once, and changes nothing if its values are inside the scale', () => {
  const store = createHeatStore();
  const [first, fitting, wider] = [
    [cells('BR', '100', null)],
    [cells('US', '40', null)],
    [cells('DE', '200', null)],
  ];
  const br = cells('BR', '100', null);
  store.getState().see({ query, head, rows: blocksOf(first) });
  const { ends } = store.getState();
  store.getState().see({ query, head, rows: blocksOf(first, fitting) });
  expect(store.getState().ends).toBe(ends);
  const all = blocksOf(first, fitting, wider);
  store.getState().see({ query, head, rows: all });
  expect(heatOf(store.getState(), br, 0)).toBe(0.5);
  // Rows far out of view are dropped, but the shades stay.
  store.getState().see({ query, head, rows: withoutFar(all, 4_000, 4_050) });
  store.getState().see({ query: { ...query, sort: { column: 'geo', descending: false } }, head, rows: all });
  expect(heatOf(store.getState(), br, 0)).toBe(0.5);
});

test.each([
  ['other days', { query: { ...query, range: { preset: 'last30' as const } }, head }],
  ['other exclusions', { query: { ...query, excluded: [[{ dimension: 'geo', value: 'DE' }]] }, head }],
  ['a new reading', { query, head: { ...head, version: '2' } }],
])('%s start a new scale, and stale rows do not count', (_what, next) => {
  const store = createHeatStore();
  const before = blocksOf([cells('BR', '50', null)], [cells('DE', '1000', null)]);
  store.getState().see({ query, head, rows: before });
  const rows = withBlock(
    { ...before, blocks: new Map([...before.blocks].map(([at, block]) => [at, { ...block, stale: true }])) },
    0,
    page({ rows: [cells('BR', '50', null)], rowCount: 5_000 }),
  );
  store.getState().see({ ...next, rows });
  expect(heatOf(store.getState(), cells('BR', '50', null), 0)).toBe(1);
});
