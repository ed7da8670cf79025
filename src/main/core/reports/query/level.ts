import type { Dataset } from './dataset.ts';
import type { Dimension, Part } from './dimension.ts';
import { noGroup, type PartGroups, sumsByGroup } from './group-sums.ts';
import { rowClass, type RowClasses } from './row-classes.ts';

/** The groups of one level of a pivot. */
export interface Level {
  key: string;
  dimension: Dimension;
  /** Null for the outermost level, whose groups are the codes of its dimension. */
  within: { codes: Uint32Array; parents: Uint32Array; children: readonly Uint32Array[] } | null;
  groupCount: number;
  groups: Readonly<Record<Part, PartGroups>>;
  /** The group of each row; `noGroup` for rows that belong to none. */
  groupOf: Readonly<Record<Part, Uint32Array>>;
}

export interface LevelQuestion {
  dimension: string;
  classes: RowClasses;
  /** True if the incomplete day has a row of its own, at this level or above. */
  byDate: boolean;
  /** The level above, and its groups whose children are asked for; null for the outermost level. */
  above: { level: Level; expanded: readonly number[] } | null;
}

/** Up to so many cells, groups are found through an array of parents × labels. */
const maxDenseCells = 4_000_000;

/** Groups the rows of a dataset, or those of some groups, by one dimension. Kept by the dataset. Fails with `number_too_large`. */
export function levelOf(dataset: Dataset, question: LevelQuestion): Level {
  const { dimension: id, classes, byDate, above } = question;
  const key = JSON.stringify([
    id,
    classes.key,
    byDate,
    above === null ? null : [above.level.key, above.expanded],
  ]);
  return dataset.keep(key, () => {
    const dimension = dataset.dimension(id);
    const placed = above === null ? outermost(dimension) : groupWithin(dimension, above);
    const everyRowIsIn = above === null;
    const groups = sumsByGroup(dataset, { ...placed, everyRowIsIn, classes, byDate });
    const level: Level = { key, dimension, ...placed, groups };
    const perGroup = 1 + (dataset.hasCompared ? 2 : 1) * (1 + 8 * dataset.sums.length);
    const perRow = above === null ? 0 : 4 * (dataset.rowCounts.current + dataset.rowCounts.compared);
    return { value: level, bytes: level.groupCount * perGroup + perRow };
  });
}

/** The code that a group has in the dimension of its level. */
export function codeOfGroup({ within }: Level, group: number): number {
  return within === null ? group : (within.codes[group] as number);
}

/** The class of a group as its row shows it: that of the current rows, or if it has none that of the compared ones. */
export function shownClass({ groups: { current, compared } }: Level, group: number): number | undefined {
  const status = current.status[group];
  return status === rowClass.out ? compared.status[group] : status;
}

type Placed = Pick<Level, 'within' | 'groupCount' | 'groupOf'>;

function outermost(dimension: Dimension): Placed {
  return { within: null, groupCount: dimension.labels.length, groupOf: dimension.codes };
}

/** Finds the groups of parent and label, in the order of their first rows. */
function groupWithin(
  dimension: Dimension,
  { level, expanded }: { level: Level; expanded: readonly number[] },
): Placed {
  const slots = new Int32Array(level.groupCount).fill(-1);
  for (const [slot, group] of expanded.entries()) slots[group] = slot;
  const width = dimension.labels.length;
  const find =
    expanded.length * width <= maxDenseCells ? denseNumbers(expanded.length * width) : sparseNumbers();
  const codes: number[] = [];
  const parents: number[] = [];
  const children = expanded.map((): number[] => []);
  const place = (part: Part): Uint32Array => {
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
  const groupOf = { current: place('current'), compared: place('compared') };
  const within = {
    codes: Uint32Array.from(codes),
    parents: Uint32Array.from(parents),
    children: children.map((groups) => Uint32Array.from(groups)),
  };
  return { within, groupCount: codes.length, groupOf };
}

/** Gives the number under a key, which becomes `next` for a new one. */
type Numbers = (key: number, next: number) => number;

function denseNumbers(size: number): Numbers {
  const numbers = new Uint32Array(size).fill(noGroup);
  return (key, next) => {
    if (numbers[key] === noGroup) numbers[key] = next;
    return numbers[key] as number;
  };
}

function sparseNumbers(): Numbers {
  const numbers = new Map<number, number>();
  return (key, next) => {
    const known = numbers.get(key);
    if (known === undefined) numbers.set(key, next);
    return known ?? next;
  };
}
