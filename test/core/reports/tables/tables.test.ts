import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TableAppender } from '#core/reports/tables/append.ts';
import { decodeTable, encodeTable, tableBytes } from '#core/reports/tables/blob.ts';
import { rowsOf, tableOf } from '../table-text.ts';
import { splitByDate, type Table, withDate } from '#core/reports/tables/table.ts';

const row = (date: string | null, geo: string | null, clicks: string | null, revenue: string | null) => ({
  date,
  geo,
  clicks,
  revenue,
});

const label = fc.option(fc.string({ unit: 'grapheme', maxLength: 4 }), { freq: 6 });
const count = fc.option(fc.integer({ min: -5, max: 70_000 }).map(String), { freq: 6 });
const rowsArbitrary = fc.array(
  fc.tuple(fc.constantFrom('2026-11-01', '2026-11-02', null), label, count, count).map((of) => row(...of)),
  { maxLength: 40 },
);
const tableArbitrary = rowsArbitrary.map((rows) => tableOf(rows, { clicks: 0, revenue: 3 }));

function joined(tables: readonly Table[], isMetric?: (id: string) => boolean): Table {
  const appender = new TableAppender(isMetric);
  for (const table of tables) appender.add(table);
  return appender.finish();
}

it('joining tables keeps the scales and columns of each', () => {
  const first = tableOf([row('2026-11-01', 'BR', '1', '0.5')], { clicks: 0, revenue: 1 });
  const second = tableOf([{ subid: 'x', geo: 'US', revenue: '0.125' }], { revenue: 3 });
  expect(rowsOf(joined([first, second]))).toEqual([
    { ...row('2026-11-01', 'BR', '1', '0.5'), subid: null },
    { ...row(null, 'US', null, '0.125'), subid: 'x' },
  ]);
});

it('a column with numbers in one table and texts in another becomes a dimension', () => {
  const numbers = tableOf([{ x: '1.5' }, { x: null }], { x: 2 });
  const texts = tableOf([{ x: 'none' }], {});
  for (const tables of [
    [numbers, texts],
    [texts, numbers],
    [numbers, texts, numbers],
  ]) {
    const all = joined(tables);
    expect(all.sums).toEqual([]);
    expect(rowsOf(all)).toEqual(tables.flatMap(rowsOf));
  }
});

const large = tableOf([{ x: '9007199254740991' }, { x: null }], { x: 0 });
const fine = tableOf([{ x: '0.000000001' }, { x: '-8000000.5' }], { x: 9 });
const middle = tableOf([{ x: '90071992547409.91' }], { x: 2 });

it.each([
  [[large, fine]],
  [[fine, large]],
  [[middle, large, fine]],
  [[fine, middle, large]],
  [[large, tableOf([{ y: 'a' }], {}), fine, tableOf([{ y: 'a' }], {})]],
  [[joined([large, fine]), middle, joined([fine, large])]],
])('joining keeps values exact that the scale of another table would make too large', (tables) => {
  const all = joined(tables);
  const values = (rows: ReturnType<typeof rowsOf>) => rows.map(({ x }) => x ?? null);
  expect(values(rowsOf(all))).toEqual(values(tables.flatMap(rowsOf)));
  const everywhere = all.sums.flatMap((column) => [...column.values]);
  expect(everywhere.every((units) => Number.isNaN(units) || Number.isSafeInteger(units))).toBe(true);
  expect(decodeTable(encodeTable(all))).toEqual(all);
  const dated = withDate(all, '2026-11-01');
  expect(rowsOf(splitByDate(dated, []).days.get('2026-11-01')!())).toEqual(rowsOf(dated));
});

it('such values become a dimension if their column is not a metric', () => {
  const large = tableOf([{ x: '9007199254740991' }], { x: 0 });
  const fine = tableOf([{ x: '0.1' }], { x: 1 });
  for (const tables of [
    [large, fine],
    [fine, large],
    [fine, large, fine],
  ]) {
    const all = joined(tables, (id) => id !== 'x');
    expect(all.sums).toEqual([]);
    expect(rowsOf(all)).toEqual(tables.flatMap(rowsOf));
  }
});

it('joining returns all rows of many tables, whatever their labels', () => {
  fc.assert(
    fc.property(fc.array(tableArbitrary, { maxLength: 6 }), (tables) => {
      expect(rowsOf(joined(tables))).toEqual(tables.flatMap(rowsOf));
    }),
  );
});

it('a table that is split by days can be joined again without loss', () => {
  fc.assert(
    fc.property(rowsArbitrary, (rows) => {
      const { days, undatedRow } = splitByDate(tableOf(rows, { clicks: 0, revenue: 3 }), [
        '2026-11-01',
        '2026-11-03',
      ]);
      expect(rowsOf(days.get('2026-11-03')!())).toEqual([]);
      const firstUndated = rows.findIndex(({ date }) => date === null);
      expect(undatedRow).toBe(firstUndated === -1 ? null : firstUndated);
      for (const date of ['2026-11-01', '2026-11-02']) {
        const part = days.get(date)?.();
        expect(part === undefined ? [] : rowsOf(part)).toEqual(rows.filter((row) => row.date === date));
        const geo = part?.dimensions.find(({ id }) => id === 'geo');
        // A day has only the labels of its own rows.
        expect(new Set(geo?.labels ?? [])).toEqual(
          new Set(rows.filter((row) => row.date === date).map((row) => row.geo)),
        );
      }
    }),
  );
});

it('every row gets the day of its table', () => {
  const table = tableOf(
    [
      { date: '2026-01-01', geo: 'BR', clicks: '1' },
      { date: null, geo: 'US', clicks: '2' },
    ],
    { clicks: 0 },
  );
  expect(rowsOf(withDate(table, '2026-11-05')).map(({ date, geo }) => [date, geo])).toEqual([
    ['2026-11-05', 'BR'],
    ['2026-11-05', 'US'],
  ]);
});

it('a table that is stored as bytes is read back identically', () => {
  const extremes = [
    '0',
    '254',
    '255',
    '256',
    '65534',
    '65535',
    '65536',
    '4294967294',
    '4294967295',
    '-1',
    null,
  ];
  const ends = extremes.map((x) =>
    tableOf(
      [
        { x, 'a\u0000': 'é😀' },
        { x: null, 'a\u0000': '' },
      ],
      { x: 0 },
    ),
  );
  for (const table of ends) expect(decodeTable(encodeTable(table))).toEqual(table);
  fc.assert(
    fc.property(tableArbitrary, (table) => {
      expect(decodeTable(encodeTable(table))).toEqual(table);
      expect(tableBytes(table)).toBeGreaterThanOrEqual(table.rowCount * 24);
    }),
  );
});

it('a stored table with a changed, missing or additional byte is refused', () => {
  const bytes = encodeTable(
    tableOf([row('2026-11-01', 'BR', '1', '0.5'), row(null, null, null, '-2')], { clicks: 0, revenue: 1 }),
  );
  const refused = expect.objectContaining({ code: 'report_cache_damaged' });
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Uint8Array.from(bytes);
    changed[at]! ^= 1 << (at % 8);
    expect(() => decodeTable(changed), `byte ${at}`).toThrow(refused);
    expect(() => decodeTable(bytes.subarray(0, at)), `cut at ${at}`).toThrow(refused);
  }
  expect(() => decodeTable(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(refused);
});
