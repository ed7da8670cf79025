import { addDays, metricOf, type ReportKind } from '#shared/reports/index.ts';
import {
  type DimensionColumn,
  type SumColumnData,
  type Table,
  moveWholes,
  powersOfTen,
  rescale,
  type SumColumns,
  sumsById,
  asDimension,
} from '../tables/table.ts';
import { Dimension, type DatasetPart } from './dimension.ts';

export interface DatasetTables {
  kind: ReportKind;
  current: Table;
  compared: Table | null;
  shiftDays: number;
}

/**
 * How a row counts: `out` is filtered out, `excluded` is switched off by a person, `incomplete` is of the incomplete day,
 * `counted` is in the totals. A group has the highest class of its rows.
 */
export const rowClass = { out: 0, excluded: 1, incomplete: 2, counted: 3 } as const;

export interface RowClasses {
  /** Two objects with equal keys contain equal classes, within one dataset. */
  key: string;
  of: Readonly<Record<DatasetPart, Uint8Array | null>>;
}

export interface SumPart {
  values: Float64Array;
  /** True if no value is missing and no sum can exceed the safe integers, so that neither needs a check. */
  isPlain: boolean;
}

/**
 * A sum over both parts in a common scale; null for a part without the column. A sum beyond the safe integers has a second entry
 * with its id, in scale 0, for whole numbers.
 */
export interface SumPair {
  id: string;
  scale: number;
  current: SumPart | null;
  compared: SumPart | null;
}

/** Cache size in bytes: enough for a million sub-ids, or for ten nested groupings of a million rows. */
const maxCacheBytes = 48 * 2 ** 20;

/**
 * Rows of a range and of the compared range, with common labels and scales; dates of compared rows are shifted. Shares the arrays
 * of its tables, which must not change afterwards. A sum outside the contract that could exceed the safe integers becomes a
 * dimension.
 */
export class Dataset {
  readonly kind: ReportKind;
  readonly rowCounts: Readonly<Record<DatasetPart, number>>;
  readonly hasCompared: boolean;
  readonly shiftDays: number;
  readonly dimensions: readonly Dimension[];
  readonly sums: readonly SumPair[];
  readonly #cache = new Map<string, { value: unknown; bytes: number }>();
  #cacheBytes = 0;
  #scratch = new Uint32Array(0);

  constructor({ kind, current, compared, shiftDays }: DatasetTables) {
    this.kind = kind;
    this.hasCompared = compared !== null;
    this.shiftDays = shiftDays;
    this.rowCounts = { current: current.rowCount, compared: compared?.rowCount ?? 0 };
    const shifted = compared === null ? null : withShiftedDates(compared, shiftDays);
    const unsummable = unsummableIds(kind, shifted === null ? [current] : [current, shifted]);
    const [own, other] = withEqualRoles(current, shifted, unsummable);
    const ids = distinctIds([...own.dimensions, ...(other?.dimensions ?? [])]);
    this.dimensions = ids.map((id) => jointDimension(id, own, other));
    const sums = { current: sumsById(own.sums), compared: sumsById(other?.sums ?? []) };
    this.sums = distinctIds([...own.sums, ...(other?.sums ?? [])]).flatMap((id) =>
      sumPairs(id, sums.current.get(id), sums.compared.get(id)),
    );
  }

  dimension(id: string): Dimension {
    const { current, compared } = this.rowCounts;
    return (
      this.dimensions.find((dimension) => dimension.id === id) ??
      new Dimension(id, [null], { current: new Uint32Array(current), compared: new Uint32Array(compared) })
    );
  }

  /** An array that is not cleared and that all callers share. */
  scratch(rowCount: number): Uint32Array {
    if (this.#scratch.length < rowCount) this.#scratch = new Uint32Array(rowCount);
    return this.#scratch.subarray(0, rowCount);
  }

  get cacheBytes(): number {
    return this.#cacheBytes;
  }

  /** Caches the result of `make`; drops the least recently used results. */
  getOrCompute<T>(key: string, make: () => { value: T; bytes: number }): T {
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
      return cached.value as T;
    }
    const made = make();
    this.#cacheBytes += made.bytes;
    for (const [oldest, { bytes }] of this.#cache) {
      if (this.#cacheBytes <= maxCacheBytes) break;
      this.#cache.delete(oldest);
      this.#cacheBytes -= bytes;
    }
    this.#cache.set(key, made);
    return made.value;
  }
}

function distinctIds(columns: readonly { id: string }[]): string[] {
  return [...new Set(columns.map(({ id }) => id))];
}

function jointDimension(id: string, own: Table, other: Table | null): Dimension {
  const { labels, codes } = columnOf(own, id);
  if (other === null) return new Dimension(id, labels, { current: codes, compared: new Uint32Array(0) });
  const before = columnOf(other, id);
  const both = [...labels];
  const renumbered = renumber(both, before.labels);
  const compared = before.codes.map((code) => renumbered[code] as number);
  return new Dimension(id, both, { current: codes, compared });
}

function columnOf({ dimensions, rowCount }: Table, id: string): Omit<DimensionColumn, 'id'> {
  const none = { labels: [null], codes: new Uint32Array(rowCount) };
  return dimensions.find((column) => column.id === id) ?? none;
}

function renumber(labels: (string | null)[], added: readonly (string | null)[]): Uint32Array {
  const codes = new Map(labels.map((label, code) => [label, code]));
  return Uint32Array.from(added, (label) => {
    let code = codes.get(label);
    if (code === undefined) {
      code = labels.length;
      labels.push(label);
      codes.set(label, code);
    }
    return code;
  });
}

function withShiftedDates(table: Table, days: number): Table {
  const dimensions = table.dimensions.map((column) => {
    if (column.id !== 'date') return column;
    return { ...column, labels: column.labels.map((date) => (date === null ? null : addDays(date, days))) };
  });
  return { ...table, dimensions };
}

function unsummableIds(kind: ReportKind, tables: readonly Table[]): Set<string> {
  const unknownSums = tables.flatMap(({ sums }) => sums.filter(({ id }) => metricOf(kind, id) === undefined));
  const scaleOf = (wanted: string): number =>
    unknownSums.reduce((max, { id, scale }) => (id === wanted ? Math.max(max, scale) : max), 0);
  return new Set(unknownSums.filter((column) => !sumFits(column, scaleOf(column.id))).map(({ id }) => id));
}

function sumFits({ scale, values }: SumColumnData, wanted: number): boolean {
  let sum = 0;
  for (let row = 0; row < values.length; row += 1) sum += Math.abs(values[row] as number) || 0;
  return sum * (powersOfTen[wanted - scale] as number) <= Number.MAX_SAFE_INTEGER;
}

function withEqualRoles(
  own: Table,
  other: Table | null,
  unsummable: ReadonlySet<string>,
): [Table, Table | null] {
  const dimensionsOf = (table: Table | null): string[] => table?.dimensions.map(({ id }) => id) ?? [];
  const there = new Set([...dimensionsOf(own), ...dimensionsOf(other), ...unsummable]);
  return [withDimensions(own, there), other && withDimensions(other, there)];
}

function withDimensions(table: Table, there: ReadonlySet<string>): Table {
  const moved = table.sums.filter(({ id }) => there.has(id));
  if (moved.length === 0) return table;
  return {
    rowCount: table.rowCount,
    dimensions: [
      ...table.dimensions,
      ...moved.map((values) => asDimension({ values, wholes: null }, table.rowCount)),
    ],
    sums: table.sums.filter(({ id }) => !there.has(id)),
  };
}

function sumPairs(id: string, current?: SumColumns, compared?: SumColumns): SumPair[] {
  const there = [current, compared].filter((columns) => columns !== undefined);
  const scale = Math.max(...there.map(({ values }) => values.scale));
  const fits = ({ values, wholes }: SumColumns): boolean =>
    wholes === null && (scale === 0 || sumFits(values, scale));
  if (there.every(fits)) {
    const part = (columns?: SumColumns): SumPart | null =>
      columns === undefined ? null : toSumPart(toScale(columns.values, scale));
    return [{ id, scale, current: part(current), compared: part(compared) }];
  }
  const [now, before] = [current, compared].map((columns) => columns && splitWholes(columns, scale));
  return [
    { id, scale, current: now?.values ?? null, compared: before?.values ?? null },
    { id, scale: 0, current: now?.wholes ?? null, compared: before?.wholes ?? null },
  ];
}

function splitWholes(
  { values: column, wholes: known }: SumColumns,
  scale: number,
): { values: SumPart; wholes: SumPart } {
  const values = column.values.slice();
  const wholes = known?.values.slice() ?? new Float64Array(values.length).fill(Number.NaN);
  moveWholes(values, wholes, { count: values.length, scale: column.scale });
  rescale(values, values.length, scale - column.scale);
  return { values: toSumPart(values), wholes: toSumPart(wholes) };
}

function toScale({ scale, values }: SumColumnData, wanted: number): Float64Array {
  if (scale === wanted) return values;
  const finer = values.slice();
  rescale(finer, finer.length, wanted - scale);
  return finer;
}

function toSumPart(values: Float64Array): SumPart {
  return { values, isPlain: isPlain(values) };
}

function isPlain(values: Float64Array): boolean {
  let greatest = 0;
  for (let row = 0; row < values.length; row += 1) {
    const size = Math.abs(values[row] as number);
    if (Number.isNaN(size)) return false;
    if (size > greatest) greatest = size;
  }
  return greatest * values.length <= Number.MAX_SAFE_INTEGER;
}
