import type { ReportColumn } from '#shared/app-api/index.ts';
import { isRatio, reportMetrics, type Rate } from '#shared/reports/index.ts';
import { unitsOf, unitsText } from '../tables/scaled.ts';
import type { Dataset } from './dataset.ts';

/** Decimals of shares and rates. */
const ratioDecimals = 6;

/** A column of the answer, with the sums that it follows from as places among the sums of the dataset; −1 for one that never came. */
export type ColumnPlan = ReportColumn &
  (({ of: 'sum' } & Operand) | { of: 'ratio'; over: Operand; under: Operand; times: number });

interface Operand {
  sum: number;
  /** The second column of the sum. */
  wholes: number;
  scale: number;
}

/** Reads the sum of a column, for example of one group; NaN where there is none. */
export type SumReader = (sum: number) => number;

/** The columns of a report: those of the contract in their order, then the service's own sums. */
export function columnPlans({ kind, sums }: Dataset): ColumnPlan[] {
  const operand = (id: string): Operand => {
    const sum = sums.findIndex((column) => column.id === id);
    const wholes = sums.findLastIndex((column) => column.id === id);
    return { sum, wholes: wholes === sum ? -1 : wholes, scale: sums[sum]?.scale ?? 0 };
  };
  const known = reportMetrics[kind].map((metric): ColumnPlan => {
    const column = { id: metric.id, kind: metric.kind, label: null };
    if (!isRatio(metric)) return { ...column, of: 'sum', ...operand(metric.id) };
    const { over, under, times } = metric;
    return { ...column, of: 'ratio', over: operand(over), under: operand(under), times };
  });
  const names = new Set(known.map(({ id }) => id));
  const own = sums.filter(({ id }) => !names.has(id));
  return [
    ...known,
    // A number like 0.031 may be money, a rate or a weight: its unit is not guessed from its digits.
    ...own.map(({ id }): ColumnPlan => ({ id, kind: 'number', label: id, of: 'sum', ...operand(id) })),
  ];
}

/** Returns the columns as pages see them. */
export function columnsOf(plans: readonly ColumnPlan[]): ReportColumn[] {
  return plans.map(({ id, kind, label }) => ({ id, kind, label }));
}

/** Exact decimal texts of the columns; null where there is no value, or a ratio of nothing. Ratios are rounded half away from zero. */
export function valueTexts(plans: readonly ColumnPlan[], sumOf: SumReader): (string | null)[] {
  return plans.map((plan) => {
    if (plan.of === 'ratio') return ratioText(plan, sumOf);
    const units = readSum(sumOf, plan);
    return Number.isNaN(units) ? null : unitsText(units, plan.scale);
  });
}

/** A number that orders values of a column like their exact figures; NaN where there is none. */
export function sortNumber(plan: ColumnPlan, sumOf: SumReader): number {
  if (plan.of === 'sum') return Number(readSum(sumOf, plan));
  const under = Number(readSum(sumOf, plan.under));
  return under === 0 ? Number.NaN : Number(readSum(sumOf, plan.over)) / under;
}

/** A ratio with its denominator, close enough to judge it; no volume where there is no value. */
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

/** The quotient as a whole number, half away from zero. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const over = numerator < 0n ? -numerator : numerator;
  const under = denominator < 0n ? -denominator : denominator;
  const size = (2n * over + under) / (2n * under);
  return negative ? -size : size;
}
