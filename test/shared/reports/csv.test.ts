import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { inertCell } from '#shared/lib/csv.ts';
import {
  factPairs,
  reportFile,
  type FileRow,
  type FileShape,
  type ReportFacts,
} from '#shared/reports/index.ts';

const facts: ReportFacts = {
  service: 'https://api.example',
  profile: '=Northwind',
  account: null,
  report: 'Search, every feed',
  range: { from: '2026-11-01', to: '2026-11-14' },
  compared: { from: '2026-10-18', to: '2026-10-31' },
  incompleteDay: null,
  zone: 'Europe/Berlin',
  filters: ['Only Country BR', 'Without Sub-ID "x"'],
  readAtMs: Date.UTC(2026, 10, 15, 8, 30),
  partial: true,
};
const clicks = { id: 'clicks', kind: 'count', label: null } as const;
const odd = { id: 'odd', kind: 'money', label: '@odd' } as const;
const shape: FileShape = {
  dimensions: ['geo', 'subid'],
  columns: [clicks, odd],
  compared: true,
  flagged: true,
};

test('a report file states its source, then its columns, then its rows with their levels', () => {
  const file = reportFile('csv', shape);
  const text =
    file.facts(facts) +
    file.head +
    file.rows([
      {
        path: ['BR'],
        values: ['3', '-0.10'],
        compared: ['2', null],
        flag: 'Low valid rate: 39.08%, typically 96.07%',
      },
      { path: ['BR', '-1+cmd'], values: ['3', '-0.10'], compared: null, flag: '' },
    ]) +
    file.total('Total', { values: ['3', '-0.10'], compared: ['2', '0'] });
  expect(text.split('\r\n')).toEqual([
    'Service,https://api.example',
    "Profile,'=Northwind",
    'Report,"Search, every feed"',
    'Range,2026-11-01 to 2026-11-14',
    'Compared with,2026-10-18 to 2026-10-31',
    'Time zone,Europe/Berlin',
    'Filters,"Only Country BR; Without Sub-ID ""x"""',
    'Time read,2026-11-15T08:30:00Z',
    'Partial,Some days are missing',
    '',
    "Level,Country,Sub-ID,Clicks,Clicks (compared),'@odd,'@odd (compared),Unlike the other rows",
    'Country,BR,,3,2,-0.10,,"Low valid rate: 39.08%, typically 96.07%"',
    "Sub-ID,BR,'-1+cmd,3,,-0.10,,",
    'Total,,,3,2,-0.10,0,',
    '',
  ]);
});

test.each([
  ['is not in the range', null, undefined],
  ['counts', { date: '2026-11-15', isCounted: true }, '2026-11-15'],
  ['does not count', { date: '2026-11-15', isCounted: false }, '2026-11-15, not in the total'],
])('an incomplete day that %s is stated as such', (_what, incompleteDay, named) => {
  const pairs = new Map(factPairs({ ...facts, incompleteDay }));
  expect(pairs.get('Incomplete day')).toBe(named);
});

const foreign = fc.oneof(
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ' ', '＝', '\u200b', 'a', '1'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);
const figure = fc.option(fc.constantFrom('-1.5', '0', '12', '-0.000001', '9007199254740993'));
const row: fc.Arbitrary<FileRow> = fc.record({
  path: fc.tuple(foreign, foreign),
  values: fc.tuple(figure, figure),
  compared: fc.option(fc.tuple(figure, figure)),
  flag: foreign,
});

/** Returns the cells that another parser reads from a file of these rows. */
function parsed(format: 'csv' | 'tsv', rows: FileRow[]): string[][] {
  const text = reportFile(format, shape).rows(rows);
  const { data, errors } = Papa.parse<string[]>(text, {
    newline: '\r\n',
    delimiter: format === 'csv' ? ',' : '\t',
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  return data;
}

test('rows are read by another parser unchanged, except for the apostrophe before formulas', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(parsed('csv', rows)).toEqual(
        rows.map(({ path, values: [a, b], compared, flag }) => [
          'Sub-ID',
          ...path.map((value) => inertCell(value ?? '')),
          ...[a, compared?.[0], b, compared?.[1]].map((value) => value ?? ''),
          inertCell(flag),
        ]),
      );
    }),
  );
});

test.each(['csv', 'tsv'] as const)(
  'no cell of %s starts a formula, and negative numbers stay numbers',
  (format) => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const data = parsed(format, rows);
        expect(data.map((cells) => cells.length)).toEqual(rows.map(() => 8));
        for (const cell of data.flat())
          expect(cell).toMatch(/^(?:-\d+(?:\.\d+)?$|[^=+\-@＝＋－＠\t\r\n]|$)/u);
      }),
    );
  },
);

const tokens = [
  `pk_${'k'.repeat(40)}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  encodeURIComponent(`pk_${'k'.repeat(40)}`).replace('_', '%5F'),
];

test('a token in any text never reaches a file or the clipboard, and everything else is written unchanged', () => {
  const places = [(text: string) => text, (text: string) => `before ${text} after`];
  for (const format of ['csv', 'tsv'] as const) {
    const lineOf = (path: string): string =>
      reportFile(format, { ...shape, columns: [clicks] }).rows([
        { path: ['BR', path], values: ['3'], compared: null, flag: '' },
      ]);
    for (const token of tokens)
      for (const place of places) expect(lineOf(place(token))).toBe(lineOf(place('[token removed]')));
    for (const own of ['4711', 'https://t.example/?api_key=abcdef123456&token={click_id}', 'a'.repeat(43)])
      expect(lineOf(own)).toContain(own);
  }
});
