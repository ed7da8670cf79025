import { type Table, sumsById, unitsOf as unitsIn, unitsText } from '#core/reports/tables/table.ts';

/** Returns the rows of a table as plain objects: texts, exact decimal texts, and null for missing values. */
export function rowsOf({ rowCount, dimensions, sums }: Table): Record<string, string | null>[] {
  return Array.from({ length: rowCount }, (_, row) => {
    const texts = dimensions.map(({ id, labels, codes }) => [id, labels[codes[row]!] ?? null]);
    const numbers = [...sumsById(sums)].map(([id, { values: column, wholes }]) => {
      const { scale, values } = column;
      const units = unitsIn(values[row]!, wholes?.values[row] ?? Number.NaN, scale);
      return [id, Number.isNaN(units) ? null : unitsText(units, scale)];
    });
    return Object.fromEntries([...texts, ...numbers]) as Record<string, string | null>;
  });
}

/** Makes a table of rows. The named columns are sums, written as decimals; the others are dimensions. */
export function tableOf(
  rows: readonly Record<string, string | null>[],
  sums: Readonly<Record<string, number>>,
): Table {
  const ids = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    rowCount: rows.length,
    dimensions: ids
      .filter((id) => sums[id] === undefined)
      .map((id) => {
        const labels = [...new Set(rows.map((row) => row[id] ?? null))];
        return { id, labels, codes: Uint32Array.from(rows, (row) => labels.indexOf(row[id] ?? null)) };
      }),
    sums: Object.entries(sums).map(([id, scale]) => ({
      id,
      scale,
      values: Float64Array.from(rows, (row) => {
        const text = row[id] ?? null;
        return text === null ? Number.NaN : Number(unitsOf(text, scale));
      }),
    })),
  };
}

/** Converts a decimal text to units of 10^-scale, with string operations only. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(scale, '0'));
  return text.startsWith('-') ? -units : units;
}
