import { resized, type DimensionColumn, type SumColumnData, type Table } from '../table.ts';
import { finer, fitsFiner, powersOfTen, rescale, unitsText } from './scaled.ts';

const firstCapacity = 1_024;

/** A dimension that grows, with the codes of its labels. */
interface GrowingDimension {
  column: DimensionColumn;
  codeOf: Map<string | null, number>;
}

export interface AppendOptions {
  expectedRows?: number;
  /** True for a sum of the contract, which must stay one. */
  isMetric?: (id: string) => boolean;
}

/**
 * Puts tables one behind the other. Columns are united by their names: rows of a table without a column have null or NaN there.
 * A column that is a sum in one table and a dimension in another becomes a dimension, and so does a sum that is no metric and leaves
 * the safe integers in the common scale. An added table is not kept, so that many can be added without holding all of them. Fails with
 * `number_too_large` if a metric leaves them.
 */
export class TableAppender {
  readonly #dimensions = new Map<string, GrowingDimension>();
  readonly #sums = new Map<string, SumColumnData>();
  readonly #expectedRows: number;
  readonly #isMetric: (id: string) => boolean;
  #rowCount = 0;
  #capacity = 0;

  /** `expectedRows` saves growing where it is known how many rows will come. Without `isMetric`, every sum is one. */
  constructor({ expectedRows = 0, isMetric = () => true }: AppendOptions = {}) {
    this.#expectedRows = expectedRows;
    this.#isMetric = isMetric;
  }

  add(table: Table): void {
    this.#makeRoom(this.#rowCount + table.rowCount);
    for (const { id } of table.dimensions) if (this.#sums.has(id)) this.#becomeDimension(id);
    for (const column of table.sums)
      if (!this.#canSum(column, table.rowCount)) this.#becomeDimension(column.id);
    for (const column of table.dimensions) this.#addCodes(column, table.rowCount);
    for (const column of table.sums) {
      if (this.#dimensions.has(column.id))
        this.#addCodes(asDimension(column, table.rowCount), table.rowCount);
      else this.#addValues(column, table.rowCount);
    }
    const own = new Set([...table.dimensions, ...table.sums].map(({ id }) => id));
    const to = this.#rowCount + table.rowCount;
    for (const [id, column] of this.#sums)
      if (!own.has(id)) column.values.fill(Number.NaN, this.#rowCount, to);
    for (const [id, growing] of this.#dimensions)
      if (!own.has(id)) growing.column.codes.fill(codeOf(growing, null), this.#rowCount, to);
    this.#rowCount = to;
  }

  /** Gives the rows of everything that was added; the appender is of no use afterwards. */
  finish(): Table {
    const rowCount = this.#rowCount;
    return {
      rowCount,
      dimensions: [...this.#dimensions.values()].map(({ column }) => ({
        ...column,
        codes: new Uint32Array(resized(column.codes, rowCount)),
      })),
      sums: [...this.#sums.values()].map((column) => ({
        ...column,
        values: new Float64Array(resized(column.values, rowCount)),
      })),
    };
  }

  #makeRoom(rowCount: number): void {
    if (rowCount <= this.#capacity) return;
    this.#capacity = Math.max(firstCapacity, this.#expectedRows, rowCount, 2 * this.#capacity);
    for (const { column } of this.#dimensions.values()) {
      column.codes = new Uint32Array(resized(column.codes, this.#capacity));
    }
    for (const column of this.#sums.values()) {
      column.values = new Float64Array(resized(column.values, this.#capacity));
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
    const renumbered = new Uint32Array(labels.length);
    for (let code = 0; code < labels.length; code += 1) renumbered[code] = codeOf(into, labels[code] ?? null);
    const target = growing.column.codes;
    for (let row = 0, at = this.#rowCount; row < rowCount; row += 1, at += 1)
      target[at] = renumbered[codes[row] as number] as number;
  }

  /** False where the values of both in one scale are no safe integers, and the column need not be summed. */
  #canSum({ id, scale, values }: SumColumnData, rowCount: number): boolean {
    const column = this.#sums.get(id);
    if (column === undefined || column.scale === scale || this.#isMetric(id)) return true;
    return scale > column.scale
      ? fitsFiner(column.values, this.#rowCount, scale - column.scale)
      : fitsFiner(values, rowCount, column.scale - scale);
  }

  #addValues({ id, scale, values }: SumColumnData, rowCount: number): void {
    let column = this.#sums.get(id);
    if (column === undefined) {
      column = { id, scale, values: new Float64Array(this.#capacity).fill(Number.NaN, 0, this.#rowCount) };
      this.#sums.set(id, column);
    }
    if (scale > column.scale) {
      rescale(column.values, this.#rowCount, { by: scale - column.scale, column: id });
      column.scale = scale;
    }
    if (scale === column.scale) {
      column.values.set(values.subarray(0, rowCount), this.#rowCount);
      return;
    }
    const factor = powersOfTen[column.scale - scale] as number;
    for (let row = 0; row < rowCount; row += 1)
      column.values[this.#rowCount + row] = finer(values[row] as number, factor, id);
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

/** The rows of all tables in one. A single table comes back as it is. */
export function concatTables(tables: readonly Table[]): Table {
  const [first] = tables;
  if (tables.length === 1 && first !== undefined) return first;
  const appender = new TableAppender({
    expectedRows: tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
  });
  for (const table of tables) appender.add(table);
  return appender.finish();
}

function codeOf({ column, codeOf: codes }: GrowingDimension, label: string | null): number {
  let code = codes.get(label);
  if (code === undefined) {
    code = column.labels.length;
    column.labels.push(label);
    codes.set(label, code);
  }
  return code;
}

/** The numbers of a column as texts in their plainest form; a missing one stays missing. */
export function asDimension({ id, scale, values }: SumColumnData, rowCount: number): DimensionColumn {
  const growing = { column: { id, labels: [], codes: new Uint32Array(rowCount) }, codeOf: new Map() };
  for (let row = 0; row < rowCount; row += 1) {
    const units = values[row] as number;
    growing.column.codes[row] = codeOf(growing, Number.isNaN(units) ? null : unitsText(units, scale));
  }
  return growing.column;
}
