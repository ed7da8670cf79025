import { type Dataset, rowClass, type RowClasses, type SumPart } from './dataset.ts';
import type { Dimension, DatasetPart } from './dimension.ts';
import { numberTooLarge } from '../tables/table.ts';

export interface Level {
  key: string;
  dimension: Dimension;
  /** Null for the outermost level, whose groups are the codes of its dimension. */
  within: { codes: Uint32Array; parents: Uint32Array; children: readonly Uint32Array[] } | null;
  groupCount: number;
  groups: Readonly<Record<DatasetPart, PartGroups>>;
  groupOf: Readonly<Record<DatasetPart, Uint32Array>>;
}

/** Sorts groups without a value last, and ties by label. */
export type Ordering = (level: Level, groups: Uint32Array) => Uint32Array;

interface LevelQuestion {
  dimension: string;
  classes: RowClasses;
  byDate: boolean;
  above: { level: Level; expanded: readonly number[] } | null;
}

/** Maximum `parents × labels` for an array lookup; beyond it, a map is used. */
const maxDenseCells = 4_000_000;

/** Computes a level; the dataset caches it. Fails with `number_too_large`. */
export function levelOf(dataset: Dataset, question: LevelQuestion): Level {
  const { dimension: id, classes, byDate, above } = question;
  const key = JSON.stringify([
    id,
    classes.key,
    byDate,
    above === null ? null : [above.level.key, above.expanded],
  ]);
  return dataset.getOrCompute(key, () => {
    const dimension = dataset.dimension(id);
    const placed = above === null ? outermostGroups(dimension) : groupRowsWithin(dimension, above);
    const everyRowIsIn = above === null;
    const groups = sumsByGroup(dataset, { ...placed, everyRowIsIn, classes, byDate });
    const level: Level = { key, dimension, ...placed, groups };
    const perGroup = 1 + (dataset.hasCompared ? 2 : 1) * (1 + 8 * dataset.sums.length);
    const perRow = above === null ? 0 : 4 * (dataset.rowCounts.current + dataset.rowCounts.compared);
    return { value: level, bytes: level.groupCount * perGroup + perRow };
  });
}

export function codeOfGroup({ within }: Level, group: number): number {
  return within === null ? group : (within.codes[group] as number);
}

export function shownClass({ groups: { current, compared } }: Level, group: number): number | undefined {
  const status = current.status[group];
  return status === rowClass.out ? compared.status[group] : status;
}

type GroupAssignment = Pick<Level, 'within' | 'groupCount' | 'groupOf'>;

function outermostGroups(dimension: Dimension): GroupAssignment {
  return { within: null, groupCount: dimension.labels.length, groupOf: dimension.codes };
}

function groupRowsWithin(
  dimension: Dimension,
  { level, expanded }: { level: Level; expanded: readonly number[] },
): GroupAssignment {
  const slots = new Int32Array(level.groupCount).fill(-1);
  for (const [slot, group] of expanded.entries()) slots[group] = slot;
  const width = dimension.labels.length;
  const find =
    expanded.length * width <= maxDenseCells
      ? createDenseNumbering(expanded.length * width)
      : createSparseNumbering();
  const codes: number[] = [];
  const parents: number[] = [];
  const children = expanded.map((): number[] => []);
  const assignGroups = (part: DatasetPart): Uint32Array => {
    const outer = level.groupOf[part];
    const own = dimension.codes[part];
    const groupOf = new Uint32Array(outer.length).fill(noGroup);
    for (let row = 0; row < outer.length; row += 1) {
      const parent = outer[row] as number;
      const slot = parent === noGroup ? -1 : (slots[parent] as number);
      if (slot < 0) continue;
      const code = own[row] as number;
      const group = find(slot * width + code, codes.length);
      groupOf[row] = group;
      if (group < codes.length) continue;
      codes.push(code);
      parents.push(parent);
      children[slot]?.push(group);
    }
    return groupOf;
  };
  const groupOf = { current: assignGroups('current'), compared: assignGroups('compared') };
  const within = {
    codes: Uint32Array.from(codes),
    parents: Uint32Array.from(parents),
    children: children.map((groups) => Uint32Array.from(groups)),
  };
  return { within, groupCount: codes.length, groupOf };
}

type GroupNumbering = (key: number, next: number) => number;

function createDenseNumbering(size: number): GroupNumbering {
  const numbers = new Uint32Array(size).fill(noGroup);
  return (key, next) => {
    if (numbers[key] === noGroup) numbers[key] = next;
    return numbers[key] as number;
  };
}

function createSparseNumbering(): GroupNumbering {
  const numbers = new Map<number, number>();
  return (key, next) => {
    const known = numbers.get(key);
    if (known === undefined) numbers.set(key, next);
    return known ?? next;
  };
}

export const noGroup = 0xffff_ffff;

/** The sums of all groups. A group without counted rows has the sums of its other rows, because pages show those too. */
interface PartGroups {
  /** `sums[column][group]`; NaN without a value. Empty for a part without rows. */
  sums: readonly Float64Array[];
  status: Uint8Array;
}

interface GroupedRows {
  groupCount: number;
  groupOf: Readonly<Record<DatasetPart, Uint32Array>>;
  everyRowIsIn: boolean;
  classes: RowClasses;
  byDate: boolean;
}

/** Sums both parts. The incomplete day is not compared. Fails with `number_too_large`. */
function sumsByGroup(
  dataset: Dataset,
  { groupCount, groupOf, everyRowIsIn, classes, byDate }: GroupedRows,
): Readonly<Record<DatasetPart, PartGroups>> {
  const groups = (part: DatasetPart): PartGroups => {
    const rows = { groupOf: groupOf[part], classes: classes.of[part] };
    const status = statusOf(groupCount, rows, { showsIncomplete: byDate && part === 'current' });
    // A part without rows needs no columns of NaN.
    if (rows.groupOf.length === 0) return { sums: [], status };
    const slots = everyRowIsIn && rows.classes === null ? rows.groupOf : slotsOf(rows, status, dataset);
    const sums = dataset.sums.map(({ id, [part]: column }) => sumColumn(column, { id, slots, status }));
    return { sums, status };
  };
  return { current: groups('current'), compared: groups('compared') };
}

/** Totals by column; NaN without a value. Fails with `number_too_large`. */
export function totalsOf(dataset: Dataset, { sums, status }: PartGroups): readonly number[] {
  return sums.map((column, at) => {
    const id = dataset.sums[at]?.id ?? '';
    let sum = Number.NaN;
    for (let group = 0; group < column.length; group += 1)
      if (status[group] === rowClass.counted) sum = safeSum(sum, column[group] as number, id);
    return sum;
  });
}

interface PartRows {
  groupOf: Uint32Array;
  classes: Uint8Array | null;
}

function statusOf(
  groupCount: number,
  { groupOf, classes }: PartRows,
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
 * Returns the group of each row that counts in it, and one extra group for all other rows: adding without a condition takes half
 * the time. Valid until the dataset's scratch is used again.
 */
function slotsOf({ groupOf, classes }: PartRows, status: Uint8Array, dataset: Dataset): Uint32Array {
  const slots = dataset.scratch(groupOf.length);
  const extraGroup = status.length;
  for (let row = 0; row < slots.length; row += 1) {
    const group = groupOf[row] as number;
    const counts = group !== noGroup && (classes === null || classes[row] === status[group]);
    slots[row] = counts ? group : extraGroup;
  }
  return slots;
}

interface SumOptions {
  id: string;
  slots: Uint32Array;
  status: Uint8Array;
}

function sumColumn(column: SumPart | null, { id, slots, status }: SumOptions): Float64Array {
  const sums = new Float64Array(status.length + 1);
  if (column === null || !column.isPlain) sums.fill(Number.NaN);
  if (column?.isPlain === true) addPlain(sums, column.values, slots);
  else if (column !== null) addChecked(sums, column.values, { id, slots, none: status.length });
  for (let group = 0; group < status.length; group += 1)
    if (status[group] === rowClass.out) sums[group] = Number.NaN;
  return sums.subarray(0, status.length);
}

/** Adds without checks. Requires that no value is missing and every sum is a safe integer. */
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
    if (slot !== none) sums[slot] = safeSum(sums[slot] as number, values[row] as number, id);
  }
}

function safeSum(sum: number, value: number, id: string): number {
  if (Number.isNaN(value)) return sum;
  if (Number.isNaN(sum)) return value;
  const next = sum + value;
  if (next > Number.MAX_SAFE_INTEGER || next < -Number.MAX_SAFE_INTEGER) throw numberTooLarge(id);
  return next;
}
