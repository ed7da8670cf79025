import type { DimensionColumn, Table } from '../table.ts';

/** The rows of a table by their `date`. */
export interface DayTables {
  /**
   * Makes the table of one day: for every date of `dates`, without rows where there are none, and for every other date that came. One
   * after the other they need no more memory than the largest.
   */
  days: Map<string, () => Table>;
  /** Makes the table of the rows without a date; null if every row has one. */
  undated: (() => Table) | null;
}

/**
 * Splits a table by its `date` dimension, for example into the slices of a cache. `dates` are those that were asked for. Each part
 * has the labels that its own rows have, and every column of the table.
 */
export function splitByDate(table: Table, dates: readonly string[]): DayTables {
  const date = table.dimensions.find(({ id }) => id === 'date');
  const rowsOf = date === undefined ? [allRows(table.rowCount)] : rowsByCode(date, table.rowCount);
  const labels = date === undefined ? [null] : date.labels;
  const renumber = table.dimensions.map(({ labels }) => new Int32Array(labels.length).fill(-1));
  const days = new Map<string, () => Table>();
  let undated: (() => Table) | null = null;
  for (const [code, rows] of rowsOf.entries()) {
    if (rows.length === 0) continue;
    const label = labels[code] ?? null;
    const part = (): Table => rowsOfTable(table, rows, renumber);
    if (label === null) undated = part;
    else days.set(label, part);
  }
  for (const day of dates)
    if (!days.has(day)) days.set(day, () => rowsOfTable(table, new Uint32Array(0), renumber));
  return { days, undated };
}

/** The table with a dimension `date` that is the same day in every row, in place of one that it has. Shares the other columns. */
export function withDate(table: Table, date: string): Table {
  const column: DimensionColumn = { id: 'date', labels: [date], codes: new Uint32Array(table.rowCount) };
  const others = table.dimensions.filter(({ id }) => id !== 'date');
  return { ...table, dimensions: [column, ...others] };
}

function allRows(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row += 1) rows[row] = row;
  return rows;
}

/** The rows of each code, in their order. */
function rowsByCode({ codes, labels }: DimensionColumn, rowCount: number): Uint32Array[] {
  const counts = new Uint32Array(labels.length);
  for (let row = 0; row < rowCount; row += 1) (counts[codes[row] as number] as number) += 1;
  const rows = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let row = 0; row < rowCount; row += 1) {
    const code = codes[row] as number;
    const place = counts[code] as number;
    (rows[code] as Uint32Array)[place] = row;
    counts[code] = place + 1;
  }
  return rows;
}

/** Some rows as a table of their own. `renumber` is -1 everywhere, per dimension and code, before and after. */
function rowsOfTable(table: Table, rows: Uint32Array, renumber: readonly Int32Array[]): Table {
  return {
    rowCount: rows.length,
    dimensions: table.dimensions.map((column, at) => ownLabels(column, rows, renumber[at] as Int32Array)),
    sums: table.sums.map(({ id, scale, values }) => {
      const own = new Float64Array(rows.length);
      for (let at = 0; at < own.length; at += 1) own[at] = values[rows[at] as number] as number;
      return { id, scale, values: own };
    }),
  };
}

function ownLabels(
  { id, labels, codes }: DimensionColumn,
  rows: Uint32Array,
  numbers: Int32Array,
): DimensionColumn {
  const own: (string | null)[] = [];
  const used: number[] = [];
  const ownCodes = new Uint32Array(rows.length);
  for (let at = 0; at < ownCodes.length; at += 1) {
    const code = codes[rows[at] as number] as number;
    let number = numbers[code] as number;
    if (number === -1) {
      number = own.length;
      numbers[code] = number;
      own.push(labels[code] ?? null);
      used.push(code);
    }
    ownCodes[at] = number;
  }
  for (const code of used) numbers[code] = -1;
  return { id, labels: own, codes: ownCodes };
}
