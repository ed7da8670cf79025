import { expect, test } from 'vitest';
import {
  markStale,
  neededBlocks,
  periodWord,
  renewed,
  rowAt,
  selectionSums,
  toggled,
  withBlock,
  withoutFar,
} from '#renderer/features/reports/stores/report-rows.ts';
import type { ReportRow } from '#shared/app-api/index.ts';
import { page, row } from './support.ts';

const countries = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => row([`C${from + at}`], ['1', '2', '2']));

test('only the blocks around the rows in view are read, each once', () => {
  const rows = withBlock(null, 0, page({ rowCount: 1000, rows: countries(0, 100) }));
  expect(neededBlocks(rows, 0, 20)).toEqual([]);
  expect(neededBlocks(rows, 60, 80)).toEqual([1]);
  expect(neededBlocks(rows, 990, 999)).toEqual([9]);
  expect(neededBlocks(markStale(rows), 0, 20)).toEqual([0]);
  expect(rowAt(rows, 7)?.path).toEqual(['C7']);
  expect(rowAt(rows, 700)).toBeUndefined();
});

test('when the number of rows changes, the other blocks are read again', () => {
  const first = withBlock(null, 0, page({ rowCount: 200, rows: countries(0, 100) }));
  const both = withBlock(first, 1, page({ rowCount: 199, rows: countries(100, 99) }));
  expect(neededBlocks(both, 0, 199)).toEqual([0]);
});

test('however far a report is scrolled, only the rows near those in view stay in memory', () => {
  const all = Array.from({ length: 200 }, (_, block) => block).reduce(
    (rows: ReturnType<typeof withBlock> | null, block) =>
      withBlock(rows, block, page({ rowCount: 1_000_000, rows: countries(block * 100, 100) })),
    null,
  );
  if (all === null) throw new Error('No rows');
  const near = withoutFar(all, 15_020, 15_119);
  expect([...near.blocks.keys()]).toEqual(Array.from({ length: 22 }, (_, at) => 140 + at));
  expect(rowAt(near, 15_100)?.path).toEqual(['C15100']);
  expect(neededBlocks(near, 0, 20)).toEqual([0]);
});

test('the sum of a selection counts a row inside a selected one once, and computes ratios from sums', () => {
  const inside = row(['BR', '7'], ['40', '4.00', '0.1']);
  const selected = [row(['BR'], ['100', '10.10', '0.101']), inside, row(['DE'], ['50', '19.9', '0.398'])];
  const selection = selected.reduce(toggled, new Map() as ReturnType<typeof toggled>);
  const sums = selectionSums('xml', page().columns, selection);
  expect(sums).toEqual(['150', '30.00', '0.2000000000']);
  expect(selectionSums('xml', page().columns, toggled(new Map(), row(['X'], ['0', '1', null])))).toEqual([
    '0',
    '1',
    null,
  ]);
});

test('a selected row that is read again has its new values, and is deselected by a second press', () => {
  const selection = toggled(new Map(), row(['BR'], ['1', '1', '1']));
  const again = row(['BR'], ['2', '3', '1.5']);
  expect([...renewed(selection, [again, row(['DE'], [])]).values()]).toEqual([again]);
  expect(toggled(selection, again).size).toBe(0);
});

test.each<[string, Partial<ReportRow> & { partial?: boolean }, string | null]>([
  ['the shown and the compared days have the row', {}, null],
  ['only the shown days have the row', { compared: null }, 'new'],
  ['only the compared days have the row', { values: [null, null] }, 'gone'],
  ['a ratio of the row is no longer defined', { values: ['3', null] }, null],
  ['a ratio of the row was not defined', { compared: ['3', null] }, null],
  ['neither has a value', { values: [null, null], compared: null }, null],
  ['the row is of the incomplete day', { path: ['BR', '2026-11-21'], compared: null }, null],
  ['the row is of a complete day', { path: ['BR', '2026-11-20'], compared: null }, 'new'],
  ['days are missing', { compared: null, partial: true }, null],
])(
  'a row is called new or gone only if the data allow it: %s',
  (_case, { partial = false, ...change }, word) => {
    const whole = { ...row(['BR'], ['3', '0.5']), compared: ['2', '0.4'], ...change };
    const head = page({ incompleteDay: '2026-11-21' });
    expect(periodWord(whole, ['geo', 'date'], { ...head, state: { ...head.state, partial } })).toBe(word);
  },
);
