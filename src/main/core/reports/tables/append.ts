import {
  asDimension,
  codeOf,
  type GrowingDimension,
  resizeBuffer,
  type DimensionColumn,
  type SumColumnData,
  type Table,
  canRescale,
  moveWholes,
  rescale,
  type SumColumns,
  sumsById,
} from './table.ts';

const initialCapacity = 1_024;

/**
 * Appends tables and combines columns by name; missing values are null or NaN. A column that is a sum in one table and a
 * dimension in another becomes a dimension; so does a sum outside the contract that exceeds the safe integers. Holds no reference
 * to added tables.
 */
export class TableAppender {
  readonly #dimensions = new Map<string, GrowingDimension>();
  readonly #sums = new Map<string, SumColumns>();
  readonly #isMetric: (id: string) => boolean;
  #rowCount = 0;
  #capacity = 0;

  /** `isMetric` returns true for sums of the contract, which must stay sums. */
  constructor(isMetric: (id: string) => boolean = () => true) {
    this.#isMetric = isMetric;
  }

  add(table: Table): void {
    this.#makeRoom(this.#rowCount + table.rowCount);
    const sums = sumsById(table.sums);
    for (const { id } of table.dimensions) if (this.#sums.has(id)) this.#becomeDimension(id);
    for (const { values } of sums.values())
      if (!this.#canSum(values, table.rowCount)) this.#becomeDimension(values.id);
    for (const column of table.dimensions) this.#addCodes(column, table.rowCount);
    for (const [id, columns] of sums) {
      if (this.#dimensions.has(id)) this.#addCodes(asDimension(columns, table.rowCount), table.rowCount);
      else this.#addValues(columns, table.rowCount);
    }
    const own = new Set([...table.dimensions, ...table.sums].map(({ id }) => id));
    const to = this.#rowCount + table.rowCount;
    for (const [id, { values, wholes }] of this.#sums) {
      if (own.has(id)) continue;
      for (const column of [values, wholes]) column?.values.fill(Number.NaN, this.#rowCount, to);
    }
    for (const [id, growing] of this.#dimensions)
      if (!own.has(id)) growing.column.codes.fill(codeOf(growing, null), this.#rowCount, to);
    this.#rowCount = to;
  }

  finish(): Table {
    const rowCount = this.#rowCount;
    return {
      rowCount,
      dimensions: [...this.#dimensions.values()].map(({ column }) => ({
        ...column,
        codes: new Uint32Array(resizeBuffer(column.codes, rowCount)),
      })),
      sums: this.#sumColumns().map((column) => ({
        ...column,
        values: new Float64Array(resizeBuffer(column.values, rowCount)),
      })),
    };
  }

  #sumColumns(): SumColumnData[] {
    return [...this.#sums.values()].flatMap(({ values, wholes }) =>
      wholes === null ? [values] : [values, wholes],
    );
  }

  #makeRoom(rowCount: number): void {
    if (rowCount <= this.#capacity) return;
    this.#capacity = Math.max(initialCapacity, rowCount, 2 * this.#capacity);
    for (const { column } of this.#dimensions.values()) {
      column.codes = new Uint32Array(resizeBuffer(column.codes, this.#capacity));
    }
    for (const column of this.#sumColumns()) {
      column.values = new Float64Array(resizeBuffer(column.values, this.#capacity));
    }
  }

  #addCodes({ id, labels, codes }: DimensionColumn, rowCount: number): void {
    let growing = this.#dimensions.get(id);
    if (growing === undefined) {
      const column = { id, labels: [], codes: new Uint32Array(this.#capacity) };
      growing = { column, codeOf: new Map() };
      if (this.#rowCount > 0) codeOf(growing, null);
      this.#dimensions.set(id, growing);
    }
    const into = growing;
    const newCodes = new Uint32Array(labels.length);
    for (let code = 0; code < labels.length; code += 1) newCodes[code] = codeOf(into, labels[code] ?? null);
    const target = growing.column.codes;
    for (let row = 0, at = this.#rowCount; row < rowCount; row += 1, at += 1)
      target[at] = newCodes[codes[row] as number] as number;
  }

  /** False if a column outside the contract would exceed the safe integers in the common scale. */
  #canSum({ id, scale, values }: SumColumnData, rowCount: number): boolean {
    const column = this.#sums.get(id)?.values;
    if (column === undefined || column.scale === scale || this.#isMetric(id)) return true;
    return scale > column.scale
      ? canRescale(column.values, this.#rowCount, scale - column.scale)
      : canRescale(values, rowCount, column.scale - scale);
  }

  #addValues({ values: { id, scale, values }, wholes: added }: SumColumns, rowCount: number): void {
    const from = this.#rowCount;
    let columns = this.#sums.get(id);
    if (columns === undefined) {
      columns = { values: this.#newColumn(id, scale), wholes: null };
      this.#sums.set(id, columns);
    }
    const into = columns;
    const column = into.values;
    const addedDecimals = scale - column.scale;
    const fits =
      addedDecimals === 0 ||
      (addedDecimals > 0
        ? canRescale(column.values, from, addedDecimals)
        : canRescale(values, rowCount, -addedDecimals));
    if (!fits || added !== null) into.wholes ??= this.#newColumn(id, 0);
    const own = column.values.subarray(from, from + rowCount);
    const newWholes = into.wholes?.values.subarray(from, from + rowCount);
    own.set(values.subarray(0, rowCount));
    if (added === null) newWholes?.fill(Number.NaN);
    else newWholes?.set(added.values.subarray(0, rowCount));
    if (addedDecimals > 0) {
      if (!fits && into.wholes !== null)
        moveWholes(column.values, into.wholes.values, { count: from, scale: column.scale });
      rescale(column.values, from, addedDecimals);
      column.scale = scale;
    } else if (addedDecimals < 0) {
      if (!fits && newWholes !== undefined) moveWholes(own, newWholes, { count: rowCount, scale });
      rescale(own, rowCount, -addedDecimals);
    }
  }

  #newColumn(id: string, scale: number): SumColumnData {
    return { id, scale, values: new Float64Array(this.#capacity).fill(Number.NaN, 0, this.#rowCount) };
  }

  #becomeDimension(id: string): void {
    const sum = this.#sums.get(id);
    if (sum === undefined) return;
    this.#sums.delete(id);
    const column = asDimension(sum, this.#rowCount);
    const codes = new Uint32Array(this.#capacity);
    codes.set(column.codes);
    const entries = column.labels.map((label, code) => [label, code] as const);
    this.#dimensions.set(id, { column: { ...column, codes }, codeOf: new Map(entries) });
  }
}
