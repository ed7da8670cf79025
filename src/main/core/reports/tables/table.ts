import { AppError } from '#shared/errors/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** Maximum number of decimals. Values with more decimals are rounded half away from zero. */
export const maxScale = 9;

export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** `row` counts from 1. Omit it if a sum is too large, not a single value. */
export function numberTooLarge(column: string, row?: number): AppError {
  const message =
    row === undefined
      ? sentence`The sum of ${column} is too large to be exact, so it is not shown. The data is unchanged.`
      : sentence`Row ${row}, field ${column}: the number is too large to be kept exactly.`;
  return new AppError('number_too_large', { message, data: { field: column, row: row ?? null } });
}

/** True if the first `count` values stay safe integers with `by` more decimals. */
export function canRescale(values: Float64Array, count: number, by: number): boolean {
  const max = Number.MAX_SAFE_INTEGER / (powersOfTen[by] as number);
  for (let row = 0; row < count; row += 1) if (Math.abs(values[row] as number) > max) return false;
  return true;
}

/** Multiplies in place; the caller must check that the values fit. NaN stays NaN. */
export function rescale(values: Float64Array, count: number, by: number): void {
  const factor = powersOfTen[by] as number;
  for (let row = 0; row < count; row += 1) (values[row] as number) *= factor;
}

/**
 * Moves integer parts of the first `count` values to `wholes` (scale 0; NaN at first). The remaining values fit every scale.
 */
export function moveWholes(
  values: Float64Array,
  wholes: Float64Array,
  { count, scale }: { count: number; scale: number },
): void {
  const unit = powersOfTen[scale] as number;
  for (let row = 0; row < count; row += 1) {
    const units = values[row] as number;
    if (Number.isNaN(units)) continue;
    const whole = Math.trunc(units / unit);
    values[row] = units - whole * unit;
    wholes[row] = (Number.isNaN(wholes[row]) ? 0 : (wholes[row] as number)) + whole;
  }
}

/** Adds `wholes` (scale 0) to `units` (scale `scale`). NaN if both are missing. */
export function unitsOf(units: number, wholes: number, scale: number): number | bigint {
  if (Number.isNaN(wholes)) return units;
  return BigInt(wholes) * 10n ** BigInt(scale) + (Number.isNaN(units) ? 0n : BigInt(units));
}

export interface SumColumns {
  values: SumColumnData;
  wholes: SumColumnData | null;
}

export function sumsById(sums: readonly SumColumnData[]): Map<string, SumColumns> {
  const columns = new Map<string, SumColumns>();
  for (const column of sums) {
    const first = columns.get(column.id);
    if (first === undefined) columns.set(column.id, { values: column, wholes: null });
    else first.wholes = column;
  }
  return columns;
}

/** Examples: `-0.5`, `12`, `0.000001`. */
export function unitsText(units: number | bigint, scale: number): string {
  const text = String(units);
  if (scale === 0) return text;
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * A columnar table. Sums are safe integers in units of 10^-`scale`; NaN if the service sent no value. If a contract sum
 * exceeds its scale, a second column with the same id follows in scale 0 with the integer parts.
 */
export interface Table {
  rowCount: number;
  dimensions: DimensionColumn[];
  sums: SumColumnData[];
}

export interface DimensionColumn {
  id: string;
  labels: (string | null)[];
  codes: Uint32Array;
}

export interface SumColumnData {
  id: string;
  scale: number;
  values: Float64Array;
}

/** Transfers the memory without a copy; the column is unusable afterwards. */
export function resizeBuffer(column: Uint32Array | Float64Array, length: number): ArrayBuffer {
  return (column.buffer as ArrayBuffer).transfer(length * column.BYTES_PER_ELEMENT);
}

/** Frees memory immediately: the garbage collector would let about sixty megabytes accumulate. */
export function release(array: ArrayBufferView<ArrayBuffer>): void {
  array.buffer.transfer(0);
}

export interface GrowingDimension {
  column: DimensionColumn;
  codeOf: Map<string | null, number>;
}

export function codeOf({ column, codeOf: codes }: GrowingDimension, label: string | null): number {
  let code = codes.get(label);
  if (code === undefined) {
    code = column.labels.length;
    column.labels.push(label);
    codes.set(label, code);
  }
  return code;
}

export function asDimension({ values: column, wholes }: SumColumns, rowCount: number): DimensionColumn {
  const { id, scale, values } = column;
  const growing = { column: { id, labels: [], codes: new Uint32Array(rowCount) }, codeOf: new Map() };
  for (let row = 0; row < rowCount; row += 1) {
    const units = unitsOf(values[row] as number, wholes?.values[row] ?? Number.NaN, scale);
    growing.column.codes[row] = codeOf(growing, Number.isNaN(units) ? null : unitsText(units, scale));
  }
  return growing.column;
}

export interface DayTables {
  /** Creates the table of each requested or found date. A table is valid until the next is created: they share memory. */
  days: Map<string, () => Table>;
  undatedRow: number | null;
}

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
    const part = (): Table => (isAll ? table : selectRows(table, rows, { place, renumber }));
    if (label === null) undatedRow = first;
    else days.set(label, part);
  }
  for (const day of dates) if (!days.has(day)) days.set(day, () => emptyTable(table, 0));
  return { days, undatedRow };
}

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

function emptyTable({ dimensions, sums }: Table, rowCount: number): Table {
  return {
    rowCount,
    dimensions: dimensions.map(({ id }) => ({ id, labels: [], codes: new Uint32Array(rowCount) })),
    sums: sums.map(({ id, scale }) => ({ id, scale, values: new Float64Array(rowCount) })),
  };
}

interface RowBuffers {
  place: Table;
  renumber: readonly Int32Array[];
}

function selectRows(table: Table, rows: Uint32Array, { place, renumber }: RowBuffers): Table {
  const count = rows.length;
  return {
    rowCount: count,
    dimensions: table.dimensions.map((column, at) => {
      const codes = (place.dimensions[at] as DimensionColumn).codes.subarray(0, count);
      return {
        id: column.id,
        labels: compactLabels(column, rows, { codes, numbers: renumber[at] as Int32Array }),
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

function compactLabels(
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
