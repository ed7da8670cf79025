import { numberTooLarge } from '../tables/scaled.ts';
import type { Dataset, SumPart } from './dataset.ts';
import type { Part } from './dimension.ts';
import { rowClass, type RowClasses } from './row-classes.ts';

/** The group of a row that belongs to none. */
export const noGroup = 0xffff_ffff;

/** Sums of one part by group: of its counted rows, or if it has none of those that it has instead. */
export interface PartGroups {
  /** By column of the dataset, then by group; NaN where no row has a value. No columns for a part without rows. */
  sums: readonly Float64Array[];
  /** The class of the rows that were summed; `out` for a group that has no rows to show. */
  status: Uint8Array;
}

/** Rows and the groups in which they are. */
interface GroupedRows {
  groupCount: number;
  groupOf: Readonly<Record<Part, Uint32Array>>;
  /** True if no row is in `noGroup`. */
  everyRowIsIn: boolean;
  classes: RowClasses;
  /** True if the incomplete day has a row of its own. */
  byDate: boolean;
}

/** Adds the rows of each group up. The incomplete day is compared with nothing. Fails with `number_too_large`. */
export function sumsByGroup(
  dataset: Dataset,
  { groupCount, groupOf, everyRowIsIn, classes, byDate }: GroupedRows,
): Readonly<Record<Part, PartGroups>> {
  const groups = (part: Part): PartGroups => {
    const rows = { groupOf: groupOf[part], classes: classes.of[part] };
    const status = statusOf(groupCount, rows, { showsIncomplete: byDate && part === 'current' });
    // Without a comparison, a column for each group would contain nothing but NaN.
    if (rows.groupOf.length === 0) return { sums: [], status };
    const slots = everyRowIsIn && rows.classes === null ? rows.groupOf : slotsOf(rows, status, dataset);
    const sums = dataset.sums.map(({ id, [part]: column }) => addUp(column, { id, slots, status }));
    return { sums, status };
  };
  return { current: groups('current'), compared: groups('compared') };
}

/** The sums of the counted rows of all groups, by column; NaN where none has a value. Fails with `number_too_large`. */
export function totalsOf(dataset: Dataset, { sums, status }: PartGroups): readonly number[] {
  return sums.map((column, at) => {
    const id = dataset.sums[at]?.id ?? '';
    let sum = Number.NaN;
    for (let group = 0; group < column.length; group += 1)
      if (status[group] === rowClass.counted) sum = added(sum, column[group] as number, id);
    return sum;
  });
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
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    const own = classes === null ? rowClass.counted : (classes[row] as number);
    if (group === noGroup || own <= (status[group] as number)) continue;
    if (own !== rowClass.incomplete || showsIncomplete) status[group] = own;
  }
  return status;
}

/**
 * The group of each row whose class is its group's status; for every other row a group behind the last one. So each column is added up in
 * a loop without a condition, which takes half the time. Valid until the scratch of the dataset is used again.
 */
function slotsOf({ groupOf, classes }: Rows, status: Uint8Array, dataset: Dataset): Uint32Array {
  const slots = dataset.scratch(groupOf.length);
  const none = status.length;
  for (let row = 0; row < slots.length; row += 1) {
    const group = groupOf[row] as number;
    const counts = group !== noGroup && (classes === null || classes[row] === status[group]);
    slots[row] = counts ? group : none;
  }
  return slots;
}

interface Summed {
  id: string;
  slots: Uint32Array;
  status: Uint8Array;
}

function addUp(column: SumPart | null, { id, slots, status }: Summed): Float64Array {
  const sums = new Float64Array(status.length + 1);
  if (column === null || !column.isPlain) sums.fill(Number.NaN);
  if (column?.isPlain === true) addPlain(sums, column.values, slots);
  else if (column !== null) addChecked(sums, column.values, { id, slots, none: status.length });
  for (let group = 0; group < status.length; group += 1)
    if (status[group] === rowClass.out) sums[group] = Number.NaN;
  return sums.subarray(0, status.length);
}

/** Adds values that are never missing and whose sum is safe however they are grouped. */
function addPlain(sums: Float64Array, values: Float64Array, slots: Uint32Array): void {
  for (let row = 0; row < slots.length; row += 1)
    (sums[slots[row] as number] as number) += values[row] as number;
}

function addChecked(
  sums: Float64Array,
  values: Float64Array,
  { id, slots, none }: { id: string; slots: Uint32Array; none: number },
): void {
  for (let row = 0; row < slots.length; row += 1) {
    const slot = slots[row] as number;
    if (slot !== none) sums[slot] = added(sums[slot] as number, values[row] as number, id);
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
