import { expect, test } from 'vitest';
import { firstQuery } from '#renderer/features/reports/stores/report-query.ts';
import { alertScope } from '#renderer/features/reports/stores/row-actions-store.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';

const xml = firstQuery({ kind: 'xml', tid: 7 });
const search = firstQuery({ kind: 'search', sid: null });
const brazil = { dimension: 'geo', value: 'BR' };

test.each<[what: string, query: ReportQuery, path: (string | null)[], watched: object | null]>([
  ['the totals', xml, [], { only: null }],
  ['the totals of one value', { ...xml, only: [brazil] }, [], { only: brazil }],
  [
    'the totals of some days',
    { ...search, only: [{ dimension: 'date', value: '2026-11-16' }] },
    [],
    { only: null },
  ],
  ['a row', xml, ['BR'], { only: brazil }],
  [
    'a row of a filter by its dimension',
    { ...xml, only: [brazil, { ...brazil, value: 'DE' }] },
    ['BR'],
    { only: brazil },
  ],
  ['a day', { ...xml, levels: ['date'] }, ['2026-11-16'], { only: null }],
  ['a day of a country', { ...search, levels: ['geo', 'date'] }, ['BR', '2026-11-16'], { only: brazil }],
  ['a feed of a country', search, ['BR', '7'], null],
  ['a country of a filter by feed', { ...search, only: [{ dimension: 'feed', value: '7' }] }, ['BR'], null],
  ['a row without a value', xml, [null], null],
  ['a value that only the service defines', { ...xml, levels: ['device'] }, ['tv'], null],
  [
    'a value of Search that only the service defines',
    { ...search, levels: ['device'] },
    ['tv'],
    { only: { dimension: 'device', value: 'tv' } },
  ],
  ['totals without an excluded row', { ...xml, excluded: [[brazil]] }, [], null],
  [
    'a row while a different row is excluded',
    { ...xml, excluded: [[{ ...brazil, value: 'DE' }]] },
    ['BR'],
    { only: brazil },
  ],
  ['an excluded row', { ...xml, excluded: [[brazil]] }, ['BR'], { only: brazil }],
  [
    'a row of which a part is excluded',
    { ...search, excluded: [[brazil, { dimension: 'feed', value: '7' }]] },
    ['BR'],
    null,
  ],
  [
    'a row while a feed is excluded',
    { ...search, excluded: [[{ dimension: 'feed', value: '7' }]] },
    ['BR'],
    null,
  ],
])('an alert on %s watches the figures of that row, or is not possible', (_what, query, path, watched) => {
  const scope = alertScope(query, path);
  expect(scope).toMatchObject(watched === null ? { kind: 'none' } : { kind: 'watched', ...watched });
});
