import { numberTooLarge } from '../tables/scaled.ts';
import type { Dataset, Part, SumPart } from './dataset.ts';
import { rowClass, type RowClasses } from './row-classes.ts';

/** The group of a row that belongs to none. */
export const noGroup = 0xffff_ffff;

/** Sums of one part by group: of its counted rows, or if it has none of those that it has instead. */
export interface PartGroups {
  /** By column of the dataset, then by group; NaN where no row has a value. */
  sums: readonly Float64Array[];
  /** The class of the rows that were summed; `out` for a group that has no rows to show. */
  status: Uint8Array;
}

/** Rows and the groups in which they are. */
interface GroupedRows {
  groupCount: number;
  groupOf: Readonly<Record<Part, Uint32Array>>;
  classes: RowClasses;
  /** True if the incomplete day stands in a row of its own. */
  byDate: boolean;
}

/** Adds the rows of each group up. The incomplete day is compared with nothing. Fails with `number_too_large`. */
export function sumsByGroup(
  dataset: Dataset,
  { groupCount, groupOf, classes, byDate }: GroupedRows,
): Readonly<Record<Part, PartGroups>> {
  const groups = (part: Part): PartGroups => {
    const rows = { groupOf: groupOf[part], classes: classes.of[part] };
    const status = statusOf(groupCount, rows, { showsIncomplete: byDate && part === 'current' });
    const sums = dataset.sums.map(({ id, [part]: column }) => addUp(column, { ...rows, status, id }));
    return { sums, status };
  };
  return { current: groups('current'), compared: groups('compared') };
}

/** The sums of all counted rows of a part, by column; NaN where no row has a value. Fails with `number_too_large`. */
export function totalsOf(dataset: Dataset, { key, of }: RowClasses, part: Part): readonly number[] {
  const classes = of[part];
  return dataset.keep(`totals ${part} ${key}`, () => {
    const value = dataset.sums.map(({ id, [part]: column }) =>
      column === null ? Number.NaN : total(column, classes, id),
    );
    return { value, bytes: 8 * value.length };
  });
}

function total({ values, isPlain }: SumPart, classes: Uint8Array | null, id: string): number {
  let sum = Number.NaN;
  if (!isPlain) {
    for (let row = 0; row < values.length; row += 1)
      if (classes === null || classes[row] === rowClass.counted) sum = added(sum, values[row] as number, id);
    return sum;
  }
  let plain = 0;
  let count = 0;
  for (let row = 0; row < values.length; row += 1) {
    if (classes !== null && classes[row] !== rowClass.counted) continue;
    plain += values[row] as number;
    count += 1;
  }
  return count === 0 ? Number.NaN : plain;
}

interface Rows {
  groupOf: Uint32Array;
  classes: Uint8Array | null;
}

/** For each group, the greatest class of its rows. */
function statusOf(
  groupCount: number,
  { groupOf, classes }: Rows,
  { showsIncomplete }: { showsIncomplete: boolean },
): Uint8Array {
  const status = new Uint8Array(groupCount);
  if (classes === null) {
    for (let row = 0; row < groupOf.length; row += 1) {
      const group = groupOf[row] as number;
      if (group !== noGroup) status[group] = rowClass.counted;
    }
    return status;
  }
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    const own = classes[row] as number;
    if (group === noGroup || own <= (status[group] as number)) continue;
    if (own !== rowClass.incomplete || showsIncomplete) status[group] = own;
  }
  return status;
}

/** Sums by group of the rows whose class is their group's status. */
function addUp(column: SumPart | null, rows: Rows & { status: Uint8Array; id: string }): Float64Array {
  const { status } = rows;
  const sums = new Float64Array(status.length);
  if (column === null) return sums.fill(Number.NaN);
  if (!column.isPlain) {
    addChecked(sums.fill(Number.NaN), column.values, rows);
    return sums;
  }
  addPlain(sums, column.values, rows);
  for (let group = 0; group < sums.length; group += 1)
    if (status[group] === rowClass.out) sums[group] = Number.NaN;
  return sums;
}

/** Adds values that are never missing and whose sum is safe however they are grouped. */
function addPlain(
  sums: Float64Array,
  values: Float64Array,
  { groupOf, classes, status }: Rows & { status: Uint8Array },
): void {
  if (classes === null) {
    for (let row = 0; row < groupOf.length; row += 1) {
      const group = groupOf[row] as number;
      if (group !== noGroup) (sums[group] as number) += values[row] as number;
    }
    return;
  }
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (group !== noGroup && classes[row] === status[group]) (sums[group] as number) += values[row] as number;
  }
}

function addChecked(
  sums: Float64Array,
  values: Float64Array,
  { groupOf, classes, status, id }: Rows & { status: Uint8Array; id: string },
): void {
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (group === noGroup) continue;
    if (classes !== null && (classes[row] === rowClass.out || classes[row] !== status[group])) continue;
    sums[group] = added(sums[group] as number, values[row] as number, id);
  }
}

/** The sum with one more value; NaN adds nothing. */
function added(sum: number, value: number, id: string): number {
  if (Number.isNaN(value)) return sum;
  if (Number.isNaN(sum)) return value;
  const next = sum + value;
  if (next > Number.MAX_SAFE_INTEGER || next < -Number.MAX_SAFE_INTEGER) throw numberTooLarge(id);
  return next;
}
