import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { type Column, reportWriter, type ReportWriter } from '#core/backend/publisher/send-report.ts';
import { inertCell } from '#shared/lib/csv.ts';
import { runs } from '#test/setup/property-runs.ts';

type Row = [text: string, number: string, other: string];
const columns: Column<Row>[] = [
  { name: 'text', kind: 'text', text: ([text]) => text },
  { name: 'number', kind: 'number', text: ([, number]) => number },
  { name: 'other', kind: 'text', text: ([, , other]) => other },
];
const report = { label: 'A "label"', columns };

const nasty = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '"',
  ',',
  ';',
  "'",
  ' ',
  '＝',
  '\u200b',
  '',
  'a',
  '1',
);
const text = fc.oneof(
  fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);
const number = fc.constantFrom('-1.5', '0', '12', '-0.000001', '9007199254740993');
const rows = fc.array(fc.tuple(text, number, text), { maxLength: 20 });

function reportText(writer: ReportWriter<Row>, given: readonly Row[]): string {
  return writer.head + (given.length === 0 ? '' : writer.rows(given)) + writer.foot;
}

describe('a report', () => {
  test('as CSV is read by another parser without a change, except for the apostrophe before formulas', () => {
    const writer = reportWriter('csv', report);
    fc.assert(
      fc.property(rows, (given) => {
        const { data, errors } = Papa.parse<string[]>(reportText(writer, given), {
          newline: '\r\n',
          delimiter: ',',
        });
        expect(errors).toEqual([]);
        expect(data).toEqual([
          ['text', 'number', 'other'],
          ...given.map(([a, b, c]) => [inertCell(a), b, inertCell(c)]),
          [''],
        ]);
      }),
      runs(500),
    );
  });

  test('as CSV has the same bytes as from another writer', () => {
    const writer = reportWriter('csv', report);
    fc.assert(
      fc.property(rows, (given) => {
        const cells = given.map(([a, b, c]) => [inertCell(a), b, inertCell(c)]);
        const theirs = stringify([['text', 'number', 'other'], ...cells], {
          record_delimiter: '\r\n',
          quoted_match: /[\r\n]/,
        });
        expect(reportText(writer, given)).toBe(theirs);
      }),
      runs(500),
    );
  });

  test('as JSON is the envelope with exact digits of its numbers', () => {
    const writer = reportWriter('json', report);
    fc.assert(
      fc.property(rows, (given) => {
        const whole = reportText(writer, given);
        expect(JSON.parse(whole)).toEqual({
          status: 'success',
          message: 'A "label"',
          data: given.map(([a, b, c]) => ({ text: a, number: Number(b), other: c })),
        });
        for (const [, digits] of given) expect(whole).toContain(`"number":${digits},`);
      }),
    );
  });

  test('is the same text whether it is written at once or in pieces', () => {
    const given: Row[] = [
      ['a', '1', ''],
      ['b', '2', '"'],
      ['c', '3', 'x'],
    ];
    for (const format of ['json', 'csv'] as const) {
      const { head, between, foot, rows: textOf } = reportWriter(format, report);
      const pieces = given.map((row) => textOf([row]));
      expect(head + pieces.join(between) + foot).toBe(reportText(reportWriter(format, report), given));
    }
  });
});

describe('a text cell', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r1',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '\ufeff=1',
  ];
  test.each(formulas)('that starts a formula is made harmless: %j', (cell) => {
    expect(inertCell(cell)).toBe(`'${cell}`);
  });

  test.each(['', 'a', '1', '00123', 'a=1', "'=1", ' a', '1-2', 'é', '😀 =1', '"', ','])(
    '%j is left unchanged',
    (cell) => {
      expect(inertCell(cell)).toBe(cell);
    },
  );
});
