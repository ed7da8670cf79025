import type { ReportQuery, ReportColumn } from '#shared/app-api/index.ts';
import { sortedColumn, isRatio, reportMetrics, type Rate } from '#shared/reports/index.ts';
import { type Dimension, sortByKey } from './dimension.ts';
import { noGroup, codeOfGroup, type Level, type Ordering } from './level.ts';
import { unitsOf, unitsText } from '../tables/table.ts';
import type { Dataset } from './dataset.ts';

type Sort = ReportQuery['sort'];

/** Sorts by a column, its difference (a missing sum counts as 0), or the label. An unknown column sorts by label. */
export function orderingOf(sort: Sort, plans: readonly ColumnPlan[]): Ordering {
  const direct = plans.find(({ id }) => id === sort.column);
  const { column, byDifference } = sortedColumn(sort.column);
  const plan = direct ?? (byDifference ? plans.find(({ id }) => id === column) : undefined);
  return (level, groups) => {
    const byLabel = sortByLabel(level, groups);
    if (plan === undefined) {
      const descending = sort.descending && sort.column === level.dimension.id;
      return descending ? reverseGroups(byLabel, level) : byLabel;
    }
    const keys = sortKeys(level, plan, { difference: direct === undefined });
    return sortByKey(byLabel, keys, { descending: sort.descending });
  };
}

function sortByLabel(level: Level, groups: Uint32Array): Uint32Array {
  const { ranks } = level.dimension;
  const keys = new Float64Array(level.groupCount);
  for (const group of groups) keys[group] = ranks[codeOfGroup(level, group)] as number;
  if (level.within !== null || groups.length * 8 < level.groupCount) return sortByKey(groups, keys);
  const groupByRank = new Uint32Array(level.groupCount).fill(noGroup);
  for (const group of groups) groupByRank[keys[group] as number] = group;
  return groupByRank.filter((group) => group !== noGroup);
}

function reverseGroups(groups: Uint32Array, level: Level): Uint32Array {
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

function sortKeys(level: Level, plan: ColumnPlan, { difference }: { difference: boolean }): Float64Array {
  const keys = new Float64Array(level.groupCount);
  const { current, compared } = level.groups;
  let group = 0;
  const now = (sum: number) => current.sums[sum]?.[group] ?? Number.NaN;
  const before = (sum: number) => compared.sums[sum]?.[group] ?? Number.NaN;
  for (; group < keys.length; group += 1) {
    const value = sortValueOf(plan, now);
    keys[group] = difference ? differenceOf(value, sortValueOf(plan, before), plan.of) : value;
  }
  return keys;
}

function differenceOf(now: number, before: number, of: ColumnPlan['of']): number {
  if (of === 'ratio' || (Number.isNaN(now) && Number.isNaN(before))) return now - before;
  return (Number.isNaN(now) ? 0 : now) - (Number.isNaN(before) ? 0 : before);
}

const ratioDecimals = 6;

/** How a column is computed. Operands are indexes of the dataset's sums; −1 if the sum is missing. */
export type ColumnPlan = ReportColumn &
  (({ of: 'sum' } & Operand) | { of: 'ratio'; over: Operand; under: Operand; times: number });

interface Operand {
  sum: number;
  wholes: number;
  scale: number;
}

type SumReader = (sum: number) => number;

export function columnPlans({ kind, sums }: Dataset): ColumnPlan[] {
  const operand = (id: string): Operand => {
    const sum = sums.findIndex((column) => column.id === id);
    const wholes = sums.findLastIndex((column) => column.id === id);
    return { sum, wholes: wholes === sum ? -1 : wholes, scale: sums[sum]?.scale ?? 0 };
  };
  const metricPlans = reportMetrics[kind].map((metric): ColumnPlan => {
    const column = { id: metric.id, kind: metric.kind, label: null };
    if (!isRatio(metric)) return { ...column, of: 'sum', ...operand(metric.id) };
    const { over, under, times } = metric;
    return { ...column, of: 'ratio', over: operand(over), under: operand(under), times };
  });
  const metricIds = new Set(metricPlans.map(({ id }) => id));
  const serviceColumns = sums.filter(({ id }) => !metricIds.has(id));
  return [
    ...metricPlans,
    // The unit of a column outside the contract is unknown, so its values are shown as numbers.
    ...serviceColumns.map(({ id }): ColumnPlan => ({
      id,
      kind: 'number',
      label: id,
      of: 'sum',
      ...operand(id),
    })),
  ];
}

export function columnsOf(plans: readonly ColumnPlan[]): ReportColumn[] {
  return plans.map(({ id, kind, label }) => ({ id, kind, label }));
}

/** Formats values as decimal strings; null if a value is missing or a divisor is 0. Ratios are rounded half away from zero. */
export function valueTexts(plans: readonly ColumnPlan[], sumOf: SumReader): (string | null)[] {
  return plans.map((plan) => {
    if (plan.of === 'ratio') return ratioText(plan, sumOf);
    const units = readSum(sumOf, plan);
    return Number.isNaN(units) ? null : unitsText(units, plan.scale);
  });
}

function sortValueOf(plan: ColumnPlan, sumOf: SumReader): number {
  if (plan.of === 'sum') return Number(readSum(sumOf, plan));
  const under = Number(readSum(sumOf, plan.under));
  return under === 0 ? Number.NaN : Number(readSum(sumOf, plan.over)) / under;
}

export function rateOf({ over, under }: ColumnPlan & { of: 'ratio' }, sumOf: SumReader): Rate {
  const [part, volume] = [over, under].map((sum) => Number(readSum(sumOf, sum)) / 10 ** sum.scale);
  if (part === undefined || volume === undefined || Number.isNaN(part) || !(volume > 0))
    return { value: 0, volume: 0 };
  return { value: part / volume, volume };
}

function readSum(sumOf: SumReader, { sum, wholes, scale }: Operand): number | bigint {
  const units = sum < 0 ? Number.NaN : sumOf(sum);
  return wholes < 0 ? units : unitsOf(units, sumOf(wholes), scale);
}

function ratioText(plan: ColumnPlan & { of: 'ratio' }, sumOf: SumReader): string | null {
  const over = readSum(sumOf, plan.over);
  const under = readSum(sumOf, plan.under);
  if (Number.isNaN(over) || Number.isNaN(under) || Number(under) === 0) return null;
  const numerator = BigInt(over) * BigInt(plan.times) * 10n ** BigInt(plan.under.scale + ratioDecimals);
  return unitsText(roundedQuotient(numerator, BigInt(under) * 10n ** BigInt(plan.over.scale)), ratioDecimals);
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const absNumerator = numerator < 0n ? -numerator : numerator;
  const absDenominator = denominator < 0n ? -denominator : denominator;
  const magnitude = (2n * absNumerator + absDenominator) / (2n * absDenominator);
  return negative ? -magnitude : magnitude;
}
