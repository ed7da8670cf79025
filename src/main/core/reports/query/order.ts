import type { ReportQuery } from '#shared/app-api/index.ts';
import { sortedColumn } from '#shared/reports/index.ts';
import { type ColumnPlan, sortNumber } from './columns.ts';
import type { Dimension } from './dimension.ts';
import { noGroup } from './group-sums.ts';
import { codeOfGroup, type Level } from './level.ts';
import { stableByKey } from './stable-sort.ts';

type Sort = ReportQuery['sort'];

/** Gives the groups in the order of the question: without a value last, ties by the label of the group. */
export type Ordering = (level: Level, groups: Uint32Array) => Uint32Array;

/**
 * The order that a question asks for: by a column, by the difference of one (a row that was not there counts as 0 in sums), or by the
 * dimension of a level. Other levels and unknown names are ordered by their labels.
 */
export function orderingOf(sort: Sort, plans: readonly ColumnPlan[]): Ordering {
  const direct = plans.find(({ id }) => id === sort.column);
  const { column, byDifference } = sortedColumn(sort.column);
  const plan = direct ?? (byDifference ? plans.find(({ id }) => id === column) : undefined);
  return (level, groups) => {
    const byLabel = labelOrder(level, groups);
    if (plan === undefined) {
      const descending = sort.descending && sort.column === level.dimension.id;
      return descending ? reversed(byLabel, level) : byLabel;
    }
    const keys = sortKeys(level, plan, { difference: direct === undefined });
    return stableByKey(byLabel, keys, { descending: sort.descending });
  };
}

/** Groups by their labels, through the ranks of all labels of the dimension, which are sorted once. */
function labelOrder(level: Level, groups: Uint32Array): Uint32Array {
  const { ranks } = level.dimension;
  const keys = new Float64Array(level.groupCount);
  for (const group of groups) keys[group] = ranks[codeOfGroup(level, group)] as number;
  if (level.within !== null || groups.length * 8 < level.groupCount) return stableByKey(groups, keys);
  // Most labels have a group: each is put into its place.
  const places = new Uint32Array(level.groupCount).fill(noGroup);
  for (const group of groups) places[keys[group] as number] = group;
  return places.filter((group) => group !== noGroup);
}

/** In descending order of labels, the missing value still last. */
function reversed(groups: Uint32Array, level: Level): Uint32Array {
  const last = groups.at(-1);
  const order = groups.toReversed();
  if (last === undefined || labelOf(level.dimension, codeOfGroup(level, last)) !== null) return order;
  order.copyWithin(0, 1);
  order[order.length - 1] = last;
  return order;
}

function labelOf({ labels }: Dimension, code: number): string | null {
  return labels[code] ?? null;
}

/** A number for each group of a level. */
function sortKeys(level: Level, plan: ColumnPlan, { difference }: { difference: boolean }): Float64Array {
  const keys = new Float64Array(level.groupCount);
  const { current, compared } = level.groups;
  let group = 0;
  const now = (sum: number) => current.sums[sum]?.[group] ?? Number.NaN;
  const before = (sum: number) => compared.sums[sum]?.[group] ?? Number.NaN;
  for (; group < keys.length; group += 1) {
    const value = sortNumber(plan, now);
    keys[group] = difference ? differenceOf(value, sortNumber(plan, before), plan.of) : value;
  }
  return keys;
}

function differenceOf(now: number, before: number, of: ColumnPlan['of']): number {
  if (of === 'ratio' || (Number.isNaN(now) && Number.isNaN(before))) return now - before;
  return (Number.isNaN(now) ? 0 : now) - (Number.isNaN(before) ? 0 : before);
}
