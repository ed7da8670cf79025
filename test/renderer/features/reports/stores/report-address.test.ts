import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatReport, parseReport } from '#renderer/features/reports/stores/report-address.ts';
import { firstQuery } from '#renderer/features/reports/stores/report-query.ts';
import { comparisons, rangePresets } from '#shared/reports/index.ts';

const text = (least: number) => fc.string({ unit: 'grapheme', minLength: least, maxLength: 20 });
const value = fc.record({ dimension: text(1), value: fc.option(text(0)) });
const day = fc.date({
  min: new Date('2020-01-01'),
  max: new Date('2030-01-01'),
  noInvalidDate: true,
});
const days = fc.tuple(day, day).map((pair) => {
  const [from = '', to = ''] = pair.map((date) => date.toISOString().slice(0, 10)).toSorted();
  return { from, to };
});
const query = fc.record(
  {
    source: fc.oneof(
      fc.record({ kind: fc.constant('xml' as const), tid: fc.integer({ min: 1 }) }),
      fc.record({ kind: fc.constant('search' as const), sid: fc.option(fc.integer({ min: 1 })) }),
    ),
    range: fc.oneof(fc.record({ preset: fc.constantFrom(...rangePresets) }), days),
    comparison: fc.constantFrom(...comparisons),
    includeToday: fc.boolean(),
    levels: fc.uniqueArray(text(1), { minLength: 1, maxLength: 8 }),
    only: fc.array(value, { maxLength: 4 }),
    excluded: fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    search: text(0),
    sort: fc.record({ column: text(1), descending: fc.boolean() }),
    grouping: fc.constantFrom('day' as const, 'geo' as const, 'subid' as const),
  },
  {
    requiredKeys: [
      'source',
      'range',
      'comparison',
      'includeToday',
      'levels',
      'only',
      'excluded',
      'search',
      'sort',
    ],
  },
);

test('the address of every report opens the same report again, whatever values it contains', () => {
  fc.assert(
    fc.property(query, (report) => {
      expect(parseReport(formatReport(report))).toEqual(report);
    }),
  );
});

test.each([
  ['without=geo:BR', [[{ dimension: 'geo', value: 'BR' }]]],
  ['without=subid:/a/b:c%2525', [[{ dimension: 'subid', value: '/a/b:c%25' }]]],
  [
    'without=/geo:BR/subid:a%252Fb%253A',
    [
      [
        { dimension: 'geo', value: 'BR' },
        { dimension: 'subid', value: 'a/b:' },
      ],
    ],
  ],
  [
    'without=/geo/subid:',
    [
      [
        { dimension: 'geo', value: null },
        { dimension: 'subid', value: '' },
      ],
    ],
  ],
  ['without=/geo:BR/', []],
  ['without=/geo:%25zz', []],
  [`without=${'/geo:BR'.repeat(9)}`, []],
])('%s excludes the named rows, also in the format of earlier addresses', (parameter, excluded) => {
  expect(parseReport(`xml=7&${parameter}`)?.excluded).toEqual(excluded);
});

const first = firstQuery({ kind: 'xml', tid: 7 });

test.each([
  ['range=yesteryear', 'an unknown range'],
  ['range=2026-02-30..2026-03-01', 'a day that does not exist'],
  ['range=2026-03-02..2026-03-01', 'days in the wrong order'],
  ['compare=nothing', 'an unknown comparison'],
  ['by=', 'an empty level'],
  ['sort=net_revenue', 'a sort without direction'],
  ['only=%25E0%25A4%25A:x', 'a broken escape'],
])('%s (%s) falls back to the default', (parameter) => {
  expect(parseReport(`xml=7&${parameter}`)).toEqual(first);
});

test.each(['', 'xml=', 'xml=0', 'xml=1e3', 'search=some', 'range=today'])(
  'the address %j opens no report, because it names no source',
  (parameters) => {
    expect(parseReport(parameters)).toBeNull();
  },
);
