import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Dataset } from '#core/reports/query/dataset.ts';
import { queryPage } from '#core/reports/query/page.ts';
import { addDays } from '#shared/reports/index.ts';
import { tableOf, unitsOf } from '../table-text.ts';
import { question, type Row } from './questions.ts';
import { runs } from '#test/setup/property-runs.ts';

const scale = 4;
const dates = ['2026-11-09', '2026-11-10', '2026-11-11'];
const today = '2026-11-11';
const geo = fc.constantFrom('BR', 'US', null);
const subid = fc.constantFrom('a', 'b', 'bot', '');
const clicks = fc.option(fc.integer({ min: 0, max: 9 }).map(String), { freq: 8 });
const money = fc.option(fc.integer({ min: -99_999, max: 99_999 }), { freq: 8 });

const rowOf = fc
  .record({ date: fc.constantFrom(...dates), geo, subid, clicks, money })
  .map(({ money, ...rest }): Row => ({
    ...rest,
    revenue: money === null ? null : decimals(BigInt(money), scale),
  }));

const dimension = fc.constantFrom('geo', 'subid', 'date');
const value = fc.constantFrom('BR', 'US', 'bot', 'a', '2026-11-10', null);
const values = fc.array(fc.record({ dimension, value }), { maxLength: 2 });
const asked = fc.record({
  levels: fc.uniqueArray(dimension, { minLength: 1, maxLength: 3 }),
  only: values,
  excluded: fc.array(fc.array(fc.record({ dimension, value }), { minLength: 1, maxLength: 3 }), {
    maxLength: 3,
  }),
  includeToday: fc.boolean(),
});

/** Formats a whole number of 10^-places units as a decimal, with string operations only. */
function decimals(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const [whole, fraction] = [digits.slice(0, -places), digits.slice(-places).replace(/0+$/, '')];
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const sumOf = (rows: readonly Row[], id: string, places: number): bigint | null => {
  const found = rows.map((row) => row[id] ?? null).filter((text) => text !== null);
  return found.length === 0 ? null : found.reduce((sum, text) => sum + unitsOf(text, places), 0n);
};

/** Computes clicks, revenue and revenue per click as a page must show them, with BigInts only. */
function expectedFigures(rows: readonly Row[]) {
  const clicks = sumOf(rows, 'clicks', 0);
  const revenue = sumOf(rows, 'revenue', scale);
  const quotient = (over: bigint, under: bigint) => {
    const size = (2n * (over < 0n ? -over : over) + under) / (2n * under);
    return over < 0n ? -size : size;
  };
  return [
    clicks === null ? null : String(clicks),
    revenue === null ? null : decimals(revenue, scale),
    clicks === null || revenue === null || clicks === 0n
      ? null
      : decimals(quotient(revenue * 100n, clicks), 6),
  ];
}

it('every row and total of a pivot shows the sums of exactly its counted rows, and ratios of those sums', () => {
  const property = fc.property(
    fc.array(rowOf, { maxLength: 40 }),
    fc.array(rowOf, { maxLength: 40 }),
    asked,
    (rows, compared, query) => {
      const before = compared.map((row) => ({ ...row, date: addDays(row['date'] ?? '', -7) }));
      const dataset = new Dataset({
        kind: 'search',
        current: tableOf(rows, { clicks: 0, revenue: scale }),
        compared: tableOf(before, { clicks: 0, revenue: scale }),
        shiftDays: 7,
      });
      const wanted = new Set(query.only.map(({ dimension }) => dimension));
      const passes = (row: Row) =>
        [...wanted].every((id) =>
          query.only.some(({ dimension, value }) => dimension === id && (row[id] ?? null) === value),
        );
      const isExcluded = (row: Row) =>
        query.excluded.some((exclusion) =>
          exclusion.every(({ dimension, value }) => (row[dimension] ?? null) === value),
        );
      const isSkipped = (row: Row) => !query.includeToday && row['date'] === today;
      const isCounted = (row: Row) => passes(row) && !isExcluded(row) && !isSkipped(row);

      const paths = (depth: number) =>
        [...rows, ...compared].map((row) => query.levels.slice(0, depth).map((id) => row[id] ?? null));
      const expanded = [...paths(1), ...paths(2)].filter((path) => path.length < query.levels.length);
      const page = queryPage(dataset, question(query, { expanded, limit: 500, incompleteDay: today }));
      const shown = (texts: readonly (string | null)[] | null | undefined) =>
        texts === null || texts === undefined
          ? null
          : ['clicks', 'revenue', 'epc'].map(
              (id) => texts[page.columns.findIndex((column) => column.id === id)],
            );

      expect(shown(page.totals)).toEqual(expectedFigures(rows.filter(isCounted)));
      expect(shown(page.comparedTotals)).toEqual(expectedFigures(compared.filter(isCounted)));
      for (const { path, values, compared: comparedValues, excluded } of page.rows) {
        const inPath = (row: Row) => path.every((value, at) => (row[query.levels[at]!] ?? null) === value);
        const own = rows.filter((row) => inPath(row) && passes(row));
        const other = compared.filter((row) => inPath(row) && passes(row));
        const isTodays = query.levels.slice(0, path.length).includes('date');
        const kinds = [isCounted, (row: Row) => isTodays && isSkipped(row) && !isExcluded(row), isExcluded];
        const kind = kinds.find((kind) => own.some(kind));
        expect(shown(values)).toEqual(expectedFigures(kind === undefined ? [] : own.filter(kind)));
        const otherKind = [isCounted, isExcluded].find((kind) => other.some(kind));
        expect(shown(comparedValues)).toEqual(
          otherKind === undefined ? null : expectedFigures(other.filter(otherKind)),
        );
        expect(excluded).toBe((kind ?? otherKind) === isExcluded);
      }
      // Every path of the counted rows is listed once, with its parents expanded.
      const listed = page.rows.map(({ path }) => JSON.stringify(path));
      expect(new Set(listed).size).toBe(listed.length);
      for (const row of rows.filter(isCounted))
        expect(listed).toContain(JSON.stringify(query.levels.map((id) => row[id] ?? null)));
    },
  );
  fc.assert(property, runs(400));
});

it('the days of a range add up to its totals', () => {
  const property = fc.property(fc.array(rowOf, { maxLength: 40 }), asked, (rows, query) => {
    const current = tableOf(rows, { clicks: 0, revenue: scale });
    const dataset = new Dataset({ kind: 'search', current, compared: null, shiftDays: 0 });
    const range = { from: dates[0]!, to: dates[2]! };
    const page = queryPage(
      dataset,
      question({ ...query, includeToday: true }, { range, incompleteDay: today }),
    );
    const [clicks, revenue] = ['clicks', 'revenue'].map((id) =>
      page.columns.findIndex((column) => column.id === id),
    );
    const days = page.days.map(({ values }) => ({
      clicks: values[clicks!] ?? null,
      revenue: values[revenue!] ?? null,
    }));
    expect([page.totals[clicks!], page.totals[revenue!]]).toEqual(expectedFigures(days).slice(0, 2));
  });
  fc.assert(property);
});

it('labels are ordered by number, then by text, with the missing value last', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '~', '\u007f', 'é', '\u0000', '😀', '0', '7'),
    maxLength: 10,
  });
  const labels = fc.uniqueArray(
    fc.option(fc.tuple(fc.constantFrom('', 'sub-'), text).map((parts) => parts.join(''))),
  );
  const key = (label: string | null) => (label === null ? 2 : /^\d{1,15}$/.test(label) ? 0 : 1);
  const compare = (a: string | null, b: string | null) =>
    key(a) - key(b) || (key(a) === 0 ? Number(a) - Number(b) : 0) || ((a ?? '') < (b ?? '') ? -1 : 1);
  const property = fc.property(labels, (labels) => {
    const current = tableOf(
      labels.map((geo) => ({ geo, clicks: '1' })),
      { clicks: 0 },
    );
    const dataset = new Dataset({ kind: 'search', current, compared: null, shiftDays: 0 });
    const page = queryPage(dataset, question({ sort: { column: 'geo', descending: false } }));
    expect(page.rows.map(({ path }) => path[0])).toEqual(labels.toSorted(compare));
  });
  fc.assert(property, runs(500));
});
