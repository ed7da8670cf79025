/**
 * Rows of a report by columns. Values of dimensions are numbers into `labels`; sums are integers in units of
 * 10^-`scale`, within the safe integers, and NaN where the service sent nothing.
 */
export interface Table {
  rowCount: number;
  dimensions: DimensionColumn[];
  sums: SumColumnData[];
}

export interface DimensionColumn {
  /** As the service names it; `date` for days. */
  id: string;
  /** Distinct values; a null stands for a missing one. */
  labels: (string | null)[];
  /** Of each row, the place of its value in `labels`. */
  codes: Uint32Array;
}

export interface SumColumnData {
  id: string;
  /** Decimals that a unit has: 0 for counts. */
  scale: number;
  values: Float64Array;
}
