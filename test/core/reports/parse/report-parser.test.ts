import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReportParser } from '#core/reports/parse/report-parser.ts';
import type { ReportShape } from '#core/reports/worker/messages.ts';
import type { Table } from '#core/reports/tables/table.ts';
import { rowsOf } from '../table-text.ts';
import { runs } from '#test/setup/property-runs.ts';

const search: ReportShape = { kind: 'search' };
const xml: ReportShape = { kind: 'xml', groupBy: 'day' };

const searchRow = {
  date: '2026-11-01',
  feed: 7,
  geo: 'BR',
  subid: '',
  total: '100',
  monetized: '40',
  clicks: '5',
  revenue: '1.25',
  epc: '0.25',
  rpm: '12.5',
};

function parsed(shape: ReportShape, body: string | Buffer, chunkSizes: readonly number[] = []) {
  const parser = new ReportParser(shape);
  const bytes = Buffer.from(body);
  let at = 0;
  for (const size of chunkSizes) {
    // The caller may reuse its buffer, so each chunk is overwritten after it was pushed.
    const chunk = Uint8Array.from(bytes.subarray(at, at + size));
    parser.push(chunk);
    chunk.fill(0);
    at += size;
  }
  if (at < bytes.length) parser.push(bytes.subarray(at));
  return parser.finish();
}

const table = (shape: ReportShape, rows: readonly object[]): Table =>
  parsed(shape, JSON.stringify({ status: 'success', message: 'm', data: rows }));

/** Parses rows from the texts of their numbers, which JSON.stringify would change. */
const tableOfText = (shape: ReportShape, ...rows: string[]): Table =>
  parsed(shape, `{"status":"success","message":"m","data":[${rows.join(',')}]}`);

it('the parser reads the Search report of the contract without summing its ratios', () => {
  const { epc: _epc, rpm: _rpm, ...kept } = searchRow;
  expect(rowsOf(table(search, [searchRow]))).toEqual([{ ...kept, feed: '7' }]);
});

it.each([[[]], [[1]], [[2, 1]]])(
  'the parser reads a report with a byte order mark in chunks of %j',
  (sizes) => {
    const body = `\uFEFF${JSON.stringify({ status: 'success', message: 'm', data: [searchRow] })}`;
    expect(rowsOf(parsed(search, body, sizes))).toHaveLength(1);
  },
);

it('the parser reads XML traffic of the contract, with money by its digits and counts in any notation of a whole number', () => {
  const text =
    '{"date":"2026-11-01","gross_clicks":1e3,"net_clicks":12.0,"gross_revenue":0.10,"net_revenue":1.5E-2}';
  expect(rowsOf(tableOfText(xml, text))).toEqual([
    {
      date: '2026-11-01',
      gross_clicks: '1000',
      net_clicks: '12',
      gross_revenue: '0.1',
      net_revenue: '0.015',
    },
  ]);
});

it('the parser accepts data before the other members, and unknown members', () => {
  const body = `{"data":[${JSON.stringify(searchRow)}],"extra":{"a":[1,"x",null]},"message":"Search \\u20ac report","status":"success"}\n`;
  expect(parsed(search, body).rowCount).toBe(1);
});

it('the parser reads an answer without rows as a table without columns', () => {
  expect(table(search, [])).toEqual({ rowCount: 0, dimensions: [], sums: [] });
});

it('the parser keeps decimals exact where a float would not, and extends the scale of a column as needed', () => {
  const { sums } = tableOfText(
    search,
    '{"revenue":"0.1"}',
    '{"revenue":"0.2"}',
    '{"revenue":"1234567.000001"}',
  );
  expect(sums).toEqual([
    { id: 'revenue', scale: 6, values: Float64Array.of(100_000, 200_000, 1_234_567_000_001) },
  ]);
});

it.each([
  ['a large value before decimals', ['10000000', '0.000000001']],
  ['a large value after decimals', ['0.000000001', '10000000', '0.5']],
  ['a value with more digits than a double', ['10000000.123456789', '-90071992547409.921', '1.50']],
  ['zeros at the end of a large value', ['0.000000001', '900719925474099.500000000', '2']],
  ['the greatest whole number', ['9007199254740991', '0.1', '-9007199254740991']],
])('the parser keeps %s exact in one column', (_what, values) => {
  const rows = [...values.map((revenue) => ({ revenue })), {}];
  const read = table(search, rows);
  expect(rowsOf(read).map(({ revenue }) => revenue)).toEqual([...values.map(plain), null]);
  const units = read.sums.flatMap((column) => [...column.values]);
  expect(units.every((each) => Number.isNaN(each) || Number.isSafeInteger(each))).toBe(true);
});

it('the parser rounds more than nine decimals half away from zero, which removes floating point noise', () => {
  const texts = [
    '0.30000000000000004',
    '12.340000000000002',
    '0.0000000005',
    '-0.0000000005',
    '0.00000000049',
    '1e-400',
  ];
  const read = rowsOf(tableOfText(xml, ...texts.map((text) => `{"net_revenue":${text}}`)));
  expect(read.map((row) => row['net_revenue'])).toEqual([
    '0.3',
    '12.34',
    '0.000000001',
    '-0.000000001',
    '0',
    '0',
  ]);
});

it('the parser sums unknown numbers and groups by unknown texts', () => {
  const rows = [
    { bonus: '0.5', device: 'Phone', test: true },
    { bonus: '2', device: null },
    { bonus: '', test: false },
  ];
  expect(table(search, rows)).toMatchObject({
    dimensions: [
      { id: 'device', labels: ['Phone', null] },
      { id: 'test', labels: ['true', null, 'false'] },
    ],
    sums: [{ id: 'bonus', scale: 1, values: Float64Array.of(5, 20, Number.NaN) }],
  });
  expect(table(xml, [{ device: '12', bonus: 0.5 }])).toMatchObject({
    dimensions: [{ id: 'device', labels: ['12'] }],
    sums: [{ id: 'bonus', scale: 1 }],
  });
});

it('the parser turns numbers into texts if a text follows in the column, and keeps every row', () => {
  const read = tableOfText(xml, '{"x":1.50}', '{}', '{"x":"none"}', '{"x":1.50}', '{"x":2e3}', '{"x":true}');
  expect(rowsOf(read).map((row) => row['x'])).toEqual(['1.5', null, 'none', '1.5', '2000', 'true']);
  expect(read.sums).toEqual([]);
});

/** Columns that the contract does not define, with the JSON of their values and the parsed values. */
const identifiers: [what: string, shape: ReportShape, values: string[], read: (string | null)[]][] = [
  ['64-bit numbers', xml, ['9223372036854775807', '12'], ['9223372036854775807', '12']],
  [
    'a 64-bit number after smaller numbers',
    xml,
    ['12', '-9223372036854775808'],
    ['12', '-9223372036854775808'],
  ],
  ['64-bit numbers given as texts', search, ['"98765432109876543210"', '"1"'], ['98765432109876543210', '1']],
  ['a number beyond every scale', xml, ['1.5', '1e400', '2'], ['1.5', '1e400', '2']],
  [
    'decimals for which an earlier value is too large',
    xml,
    ['9007199254740991', '0.1'],
    ['9007199254740991', '0.1'],
  ],
  [
    'a value that is too large for earlier decimals',
    xml,
    ['0.1', '9007199254740991'],
    ['0.1', '9007199254740991'],
  ],
  ['many decimals among texts', xml, ['"a"', '0.12345678901234567'], ['a', '0.12345678901234567']],
  ['leading zeros in texts', search, ['"00123"', '"123"', '"00123"'], ['00123', '123', '00123']],
  ['leading zeros after numbers in texts', search, ['"5"', '""', '"-007"'], ['5', null, '-007']],
];

it.each(identifiers)('the parser keeps %s as the texts of the service', (_what, shape, values, read) => {
  const rows = values.map((value) => `{"id":${value}}`);
  expect(rowsOf(tableOfText(shape, ...rows)).map((row) => row['id'])).toEqual(read);
  expect(tableOfText(shape, ...rows).sums).toEqual([]);
});

it('the parser sums texts that are zero or begin with a zero', () => {
  const { sums } = tableOfText(search, '{"x":"0"}', '{"x":"0.5"}', '{"x":"-0.25"}');
  expect(sums).toEqual([{ id: 'x', scale: 2, values: Float64Array.of(0, 50, -25) }]);
});

it('the parser reads a feed as its whole number in any notation', () => {
  const spellings = ['7', '7.0', '7.000', '70e-1', '7E0', '0.7e1'];
  const read = rowsOf(tableOfText(search, ...spellings.map((feed) => `{"feed":${feed}}`)));
  expect(read).toEqual(spellings.map(() => ({ feed: '7' })));
});

it('the parser reads a sub-id or feed that is a 64-bit number', () => {
  const [read] = rowsOf(tableOfText(search, '{"subid":9223372036854775807,"feed":98765432109876543210}'));
  expect(read).toEqual({ subid: '9223372036854775807', feed: '98765432109876543210' });
});

it.each(['geo', 'subid'] as const)(
  'the parser allows empty and fractional values in known columns by %s',
  (groupBy) => {
    const rows = [
      { [groupBy]: 'a', gross_clicks: '', gross_revenue: '', date: '' },
      { [groupBy]: 'b', gross_clicks: 1.5, gross_revenue: '2.25', date: '2026-11-01' },
      { [groupBy]: 1.5, gross_clicks: '3' },
    ];
    expect(rowsOf(table({ kind: 'xml', groupBy }, rows))).toEqual([
      { [groupBy]: 'a', date: null, gross_clicks: null, gross_revenue: null },
      { [groupBy]: 'b', date: '2026-11-01', gross_clicks: '1.5', gross_revenue: '2.25' },
      { [groupBy]: '1.5', date: null, gross_clicks: '3', gross_revenue: null },
    ]);
  },
);

it('the parser leaves missing, null and nested values empty', () => {
  const rows = [
    { ...searchRow, extra: { a: 1 } },
    {},
    { geo: null, total: null, extra: [1] },
    { total: '1', late: '3' },
  ];
  const read = rowsOf(table(search, rows));
  expect(read[1]).toEqual(Object.fromEntries(Object.keys(read[0]!).map((id) => [id, null])));
  expect(read.map(({ geo, total, late }) => [geo, total, late])).toEqual([
    ['BR', '100', null],
    [null, null, null],
    [null, null, null],
    [null, '1', '3'],
  ]);
});

it('the parser never sums a column that is named like a ratio of its report', () => {
  expect(table(xml, [{ date: '2026-11-01', click_rate: 0.2, revenue_share: 0.5, rpm: 1 }]).sums).toEqual([]);
});

it.each<[groupBy: 'geo' | 'subid', what: string, row: object, read: object]>([
  ['geo', 'its own name', { geo: 'BR', clicks_total: 5 }, { geo: 'BR' }],
  [
    'geo',
    'another name',
    { clicks_total: 5, country: 'BR', region: 'South' },
    { geo: 'BR', region: 'South' },
  ],
  [
    'geo',
    'another name after a date',
    { date: '2026-11-01', country: 'BR' },
    { date: '2026-11-01', geo: 'BR' },
  ],
  ['geo', 'a number under another name', { country_id: 55, net_revenue: '1.5' }, { geo: '55' }],
  ['geo', 'a number after a date', { date: '2026-11-01', country_id: 55 }, { date: '2026-11-01', geo: '55' }],
  ['subid', 'another name after a country', { geo: 'US', sub_id: 'abc' }, { geo: 'US', subid: 'abc' }],
  ['subid', 'a number after a country', { geo: 'US', source: 7 }, { geo: 'US', subid: '7' }],
  ['subid', 'no name at all', { geo: 'US', gross_clicks: 5 }, { geo: 'US', gross_clicks: '5' }],
])('the parser finds the %s of XML traffic that is grouped by it under %s', (groupBy, _what, row, read) => {
  expect(rowsOf(table({ kind: 'xml', groupBy }, [row]))).toEqual([expect.objectContaining(read)]);
  const ids = table({ kind: 'xml', groupBy }, [row]).dimensions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the parser treats escaped and plain letters as the same text', () => {
  const read = tableOfText(
    search,
    '{"geo":"B\\u0052"}',
    '{"geo":"BR"}',
    '{"geo":"\\ud83d\\ude00\\/"}',
    '{"geo":"😀/"}',
  );
  expect(read.dimensions).toEqual([{ id: 'geo', labels: ['BR', '😀/'], codes: Uint32Array.of(0, 0, 1, 1) }]);
});

const decimalOf = (maxUnits: bigint, maxDecimals: number) =>
  fc
    .tuple(fc.bigInt({ min: -maxUnits, max: maxUnits }), fc.integer({ min: 0, max: maxDecimals }))
    .map(([units, scale]) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
      const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
      return units < 0n ? `-${text}` : text;
    });
const decimal = decimalOf(10n ** 11n, 4);
/** Money, which the contract wants exact for any number of digits. */
const money = fc.oneof(decimal, decimalOf(9n * 10n ** 15n, 9));

const plain = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? whole.replace(/^-0$/, '0') : `${whole}.${kept}`;
};

const rowArbitrary = fc.record(
  {
    date: fc.constantFrom('2026-11-01', '2026-11-02', null),
    feed: fc.integer({ min: 1, max: 99 }),
    geo: fc.string({ unit: 'binary', maxLength: 6 }),
    subid: fc.string({ unit: 'grapheme', maxLength: 12 }),
    total: fc.nat().map(String),
    revenue: fc.option(money),
    'a "b"\n': decimal,
  },
  { requiredKeys: [] },
);

it('the parser returns every row as sent, however bytes are split and text is spaced', () => {
  const property = fc.property(
    fc.array(rowArbitrary, { maxLength: 30 }),
    fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }),
    fc.constantFrom(0, 1, '\t'),
    (rows, chunkSizes, space) => {
      const body = JSON.stringify({ status: 'success', data: rows, message: 'x' }, null, space);
      const read = rowsOf(parsed(search, body, chunkSizes));
      const names = new Set(rows.flatMap((row) => Object.keys(row)));
      const sums = new Set(['total', 'revenue', 'a "b"\n']);
      // A column that the contract defines exists even if it never has a value.
      const expected = rows.map((row) =>
        Object.fromEntries(
          [...names].map((name) => {
            const value = (row as Record<string, string | number | null>)[name] ?? null;
            return [name, value === null ? null : sums.has(name) ? plain(String(value)) : String(value)];
          }),
        ),
      );
      expect(read).toEqual(expected);
    },
  );
  fc.assert(property, runs(300));
});
