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

/** The memory of a column with room for so many values, without a second copy of it. The column itself is of no use afterwards. */
export function resized(column: Uint32Array | Float64Array, length: number): ArrayBuffer {
  return (column.buffer as ArrayBuffer).transfer(length * column.BYTES_PER_ELEMENT);
}

/** Gives the memory of an array back at once. The collector alone lets some sixty megabytes of short-lived ones come together. */
export function release(array: ArrayBufferView<ArrayBuffer>): void {
  array.buffer.transfer(0);
}
