import type { DimensionColumn, SumColumnData, Table } from './table.ts';

/** The rows of a table by their `date`. */
export interface DayTables {
  /**
   * Makes the table of one day: for every date of `dates`, without rows if there are none, and for every other date
   * that came. It is valid until the next one is made in its place, so that all of them need no more memory than the
   * largest.
   */
  days: Map<string, () => Table>;
  /** The first row without a date, which is in no day; null if every row has one. */
  undatedRow: number | null;
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
  const counts = rowsOf.map(({ length }) => length).filter((count) => count < table.rowCount);
  const place = emptyTable(table, Math.max(0, ...counts));
  let undatedRow: number | null = null;
  for (const [code, rows] of rowsOf.entries()) {
    const [first] = rows;
    if (first === undefined) continue;
    const label = labels[code] ?? null;
    const isAll = rows.length === table.rowCount;
    const part = (): Table => (isAll ? table : rowsOfTable(table, rows, { place, renumber }));
    if (label === null) undatedRow = first;
    else days.set(label, part);
  }
  for (const day of dates) if (!days.has(day)) days.set(day, () => emptyTable(table, 0));
  return { days, undatedRow };
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

/** The columns of a table with other rows, as many as `rowCount`, that are all zero and have no labels. */
function emptyTable({ dimensions, sums }: Table, rowCount: number): Table {
  return {
    rowCount,
    dimensions: dimensions.map(({ id }) => ({ id, labels: [], codes: new Uint32Array(rowCount) })),
    sums: sums.map(({ id, scale }) => ({ id, scale, values: new Float64Array(rowCount) })),
  };
}

interface Into {
  /** Has room for the rows. */
  place: Table;
  /** -1 everywhere, per dimension and code, before and after. */
  renumber: readonly Int32Array[];
}

/** Some rows as a table, whose columns are the beginnings of those of `place`. */
function rowsOfTable(table: Table, rows: Uint32Array, { place, renumber }: Into): Table {
  const count = rows.length;
  return {
    rowCount: count,
    dimensions: table.dimensions.map((column, at) => {
      const codes = (place.dimensions[at] as DimensionColumn).codes.subarray(0, count);
      return {
        id: column.id,
        labels: ownLabels(column, rows, { codes, numbers: renumber[at] as Int32Array }),
        codes,
      };
    }),
    sums: table.sums.map(({ id, scale, values }, at) => {
      const own = (place.sums[at] as SumColumnData).values.subarray(0, count);
      for (let row = 0; row < count; row += 1) own[row] = values[rows[row] as number] as number;
      return { id, scale, values: own };
    }),
  };
}

/** Gives the labels of some rows, and puts their codes among these into `codes`. */
function ownLabels(
  { labels, codes: all }: DimensionColumn,
  rows: Uint32Array,
  { codes, numbers }: { codes: Uint32Array; numbers: Int32Array },
): (string | null)[] {
  const own: (string | null)[] = [];
  const used: number[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const code = all[rows[at] as number] as number;
    let number = numbers[code] as number;
    if (number === -1) {
      number = own.length;
      numbers[code] = number;
      own.push(labels[code] ?? null);
      used.push(code);
    }
    codes[at] = number;
  }
  for (const code of used) numbers[code] = -1;
  return own;
}
