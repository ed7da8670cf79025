import { AppError } from '#shared/errors/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** Decimals that a sum can have. More of them are rounded half away from zero when a value is read. */
export const maxScale = 9;

/** The powers of ten that are safe integers, by exponent. */
export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** The failure of a sum that is no safe integer in units of its column. `row` counts from 1 where one value alone is too large. */
export function numberTooLarge(column: string, row?: number): AppError {
  const message =
    row === undefined
      ? sentence`The sum of ${column} is too large to be exact, so it is not shown. The data is unchanged.`
      : sentence`Row ${row}, field ${column}: the number is too large to be kept exactly.`;
  return new AppError('number_too_large', { message, data: { field: column, row: row ?? null } });
}

/** True if the first `count` values stay safe integers with `by` more decimals. */
export function fitsFiner(values: Float64Array, count: number, by: number): boolean {
  const max = Number.MAX_SAFE_INTEGER / (powersOfTen[by] as number);
  // NaN, which stands for a missing value, is not larger than anything.
  for (let row = 0; row < count; row += 1) if (Math.abs(values[row] as number) > max) return false;
  return true;
}

/** Turns the first `count` values, which have to fit, into a scale that has `by` more decimals. NaN stays NaN. */
export function rescale(values: Float64Array, count: number, by: number): void {
  const factor = powersOfTen[by] as number;
  for (let row = 0; row < count; row += 1) (values[row] as number) *= factor;
}

/**
 * Moves the whole numbers of the first `count` values to `wholes`, which are in scale 0 and NaN where nothing was moved yet: what is left
 * fits every scale.
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

/** The units of a value in two columns, of which `wholes` is in scale 0; NaN if it is in neither. */
export function unitsOf(units: number, wholes: number, scale: number): number | bigint {
  if (Number.isNaN(wholes)) return units;
  return BigInt(wholes) * 10n ** BigInt(scale) + (Number.isNaN(units) ? 0n : BigInt(units));
}

export interface SumColumns {
  values: SumColumnData;
  /** Its second column; null if it has none. */
  wholes: SumColumnData | null;
}

/** The columns of each sum by its id, in their order. */
export function sumsById(sums: readonly SumColumnData[]): Map<string, SumColumns> {
  const columns = new Map<string, SumColumns>();
  for (const column of sums) {
    const first = columns.get(column.id);
    if (first === undefined) columns.set(column.id, { values: column, wholes: null });
    else first.wholes = column;
  }
  return columns;
}

/** Exact decimal text of `units` × 10^-`scale`, without zeros at its end: `-0.5`, `12`, `0.000001`. */
export function unitsText(units: number | bigint, scale: number): string {
  const text = String(units);
  if (scale === 0) return text;
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Rows of a report by columns. Values of dimensions are numbers into `labels`; sums are integers in units of
 * 10^-`scale`, within the safe integers, and NaN where the service sent nothing. A sum of the contract with values that are too large for
 * the decimals of others has a second column of its id right behind, in scale 0, for their whole numbers: a value is the sum of both.
 */
export interface Table {
  rowCount: number;
  dimensions: DimensionColumn[];
  sums: SumColumnData[];
}

export interface DimensionColumn {
  /** As the service names it; `date` for days. */
  id: string;
  /** Distinct values; null for a missing one. */
  labels: (string | null)[];
  /** For each row, the place of its value in `labels`. */
  codes: Uint32Array;
}

export interface SumColumnData {
  id: string;
  /** Decimals that a unit has: 0 for counts. */
  scale: number;
  values: Float64Array;
}

/** Moves a column's memory to a buffer for `length` values, without a copy. The column must not be used afterwards. */
export function resized(column: Uint32Array | Float64Array, length: number): ArrayBuffer {
  return (column.buffer as ArrayBuffer).transfer(length * column.BYTES_PER_ELEMENT);
}

/** Gives the memory of an array back at once. The collector alone lets some sixty megabytes of short-lived ones come together. */
export function release(array: ArrayBufferView<ArrayBuffer>): void {
  array.buffer.transfer(0);
}

/** A dimension whose labels are numbered as they come. */
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

/** The numbers of a column as texts in their plainest form; a missing one stays missing. */
export function asDimension({ values: column, wholes }: SumColumns, rowCount: number): DimensionColumn {
  const { id, scale, values } = column;
  const growing = { column: { id, labels: [], codes: new Uint32Array(rowCount) }, codeOf: new Map() };
  for (let row = 0; row < rowCount; row += 1) {
    const units = unitsOf(values[row] as number, wholes?.values[row] ?? Number.NaN, scale);
    growing.column.codes[row] = codeOf(growing, Number.isNaN(units) ? null : unitsText(units, scale));
  }
  return growing.column;
}
