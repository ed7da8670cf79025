import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPublisher } from './open-publisher.ts';
import type { RunningPublisher } from './open-publisher.ts';

let publisher: RunningPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.dispose());

type Kind = 'xml' | 'search';

/** Reads the cells of a CSV file as another program does. */
function cellsOf(text: string): string[][] {
  const { data, errors, meta } = Papa.parse<string[]>(text, { skipEmptyLines: false });
  expect([errors, meta.linebreak, meta.delimiter]).toEqual([[], '\r\n', ',']);
  // The last line ends with a line break too.
  expect(data.pop()).toEqual(['']);
  return data;
}

const reports: [name: string, kind: Kind, parameters: Record<string, string | number>, file: string][] = [
  ['the XML statistics by day', 'xml', {}, 'xml-stats'],
  ['the XML statistics by country', 'xml', { groupBy: 'geo' }, 'xml-stats'],
  ['the XML statistics by subid', 'xml', { groupBy: 'subid' }, 'xml-stats'],
  ['the Search report', 'search', {}, 'search-report'],
];

describe.each(reports)('an export of %s', (_name, kind, parameters, file) => {
  test('as JSON is the ordinary answer as an attachment', async () => {
    const plain = await publisher.report(kind, parameters);
    const { status, headers, text } = await publisher.report(kind, { ...parameters, export: 'json' });
    expect([status, text]).toEqual([200, plain.text]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${file}_2026-03-01_2026-03-07.json"`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(plain.headers.get('content-disposition')).toBeNull();
  });

  test('as CSV has the fields of the rows as its header and the same values in its cells', async () => {
    const { body } = await publisher.report(kind, parameters);
    const rows = (body.data ?? []) as Record<string, string | number>[];
    const { status, headers, text } = await publisher.report(kind, { ...parameters, export: 'csv' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${file}_2026-03-01_2026-03-07.csv"`,
    );
    const [header, ...cells] = cellsOf(text);
    expect(header).toEqual(Object.keys(rows[0] ?? {}));
    // The only addition is an apostrophe before a formula, and only in columns with text.
    const back = cells.map((record) =>
      record.map((cell, at) =>
        ['geo', 'subid'].includes(header?.[at] ?? '') ? cell.replace(/^'/, '') : cell,
      ),
    );
    expect(back).toEqual(rows.map((row) => Object.values(row).map(String)));
  });
});

test('never contains a formula in a cell, although the demo has values that look like formulas', async () => {
  const subids: string[] = [];
  for (const tid of publisher.tids) {
    const [, ...cells] = cellsOf(
      (await publisher.report('xml', { tid, groupBy: 'subid', export: 'csv' })).text,
    );
    subids.push(...cells.map(([subid = '']) => subid));
  }
  expect(subids).toEqual(
    expect.arrayContaining([
      "'=cmd|' /C calc'!A0",
      "'@rewarded",
      "'+49 30 1234",
      "'-footer",
      "'\ttabbed",
      "'＝wide",
      'sidebar "wide"',
      'newsletter, weekly',
      'new tab\nsearch',
      '00123',
      '',
    ]),
  );
});
