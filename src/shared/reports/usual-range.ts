import { metricValue, type DaySums } from './alerts.ts';
import { exactText } from './decimals.ts';
import { isRatio, metricOf, type ReportKind } from './metrics.ts';
import { leastDifference, maxSpreads, medianOf, minPeers, minVolume } from './peers.ts';
import { isWeekend } from './range.ts';

/** A metric of one complete day. Null if it is unknown, or if the denominator of a ratio is too small to mean anything. */
export interface MetricDay {
  date: string;
  value: number | null;
}

export interface UsualRange {
  low: number;
  high: number;
}

/** With fewer known days, no usual range is computed. Two weeks contain ten weekdays and four days of a weekend. */
export const minUsualDays = 14;

const maxDecimals = 9;

export function metricDay(kind: ReportKind, id: string, date: string, sums: DaySums['sums']): MetricDay {
  const metric = metricOf(kind, id);
  const value = metricValue(kind, id, sums);
  const volume = metric !== undefined && isRatio(metric) ? Number(sums[metric.under] ?? 0) : Infinity;
  return {
    date,
    value: value === null || volume < minVolume ? null : Number(exactText(value, maxDecimals)),
  };
}

/**
 * The usual ranges of weekdays and of weekends: median ± 4 × median absolute deviation, but never narrower than the difference
 * from which a rate is flagged among its peers. Null if too few days are known.
 */
function usualRanges(
  kind: ReportKind,
  id: string,
  days: readonly MetricDay[],
): Record<'weekdays' | 'weekends', UsualRange | null> | null {
  const known = days.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]));
  if (known.length < minUsualDays) return null;
  const isShare = metricOf(kind, id)?.kind === 'share';
  const rangeOf = (atWeekend: boolean): UsualRange | null => {
    const values = known.filter(({ date }) => isWeekend(date) === atWeekend).map(({ value }) => value);
    if (values.length < minPeers) return null;
    const typical = medianOf(values);
    const spread = medianOf(values.map((value) => Math.abs(value - typical)));
    const reach = Math.max(maxSpreads * spread, leastDifference(typical, isShare));
    return { low: typical - reach, high: typical + reach };
  };
  return { weekdays: rangeOf(false), weekends: rangeOf(true) };
}

export interface UnusualDay {
  date: string;
  is: 'low' | 'high';
  value: number;
  usual: UsualRange;
}

/** The days on which the metric leaves its usual range, newest first. Days that follow each other count as one change. */
export function unusualDays(kind: ReportKind, id: string, days: readonly MetricDay[]): UnusualDay[] {
  const ranges = usualRanges(kind, id, days);
  if (ranges === null) return [];
  const found: UnusualDay[] = [];
  let before: UnusualDay['is'] | null = null;
  for (const { date, value } of days.toSorted((left, right) => left.date.localeCompare(right.date))) {
    const usual = isWeekend(date) ? ranges.weekends : ranges.weekdays;
    if (value === null || usual === null) continue;
    const is = value < usual.low ? 'low' : value > usual.high ? 'high' : null;
    if (is !== null && is !== before) found.unshift({ date, is, value, usual });
    before = is;
  }
  return found;
}

export type ThresholdProposal =
  | { kind: 'threshold'; is: 'below' | 'above'; threshold: string; usual: { low: string; high: string } }
  | { kind: 'none'; because: 'too-few-days' | 'reaches-zero' };

/** The only metric that gets worse when it rises. */
const worseWhenHigh: ReadonlySet<string> = new Set(['gross_invalid']);

/** Proposes the edge of the usual range on the side that is bad, rounded outwards to two digits. */
export function proposeThreshold(
  kind: ReportKind,
  id: string,
  days: readonly MetricDay[],
): ThresholdProposal {
  const ranges = usualRanges(kind, id, days);
  const known = ranges === null ? [] : [ranges.weekdays, ranges.weekends].filter((range) => range !== null);
  if (known.length === 0) return { kind: 'none', because: 'too-few-days' };
  const low = Math.max(0, Math.min(...known.map((range) => range.low)));
  const high = Math.max(...known.map((range) => range.high));
  const is = worseWhenHigh.has(id) ? 'above' : 'below';
  const threshold = roundedOutwards(kind, id, is === 'above' ? high : low, is);
  if (threshold === null) return { kind: 'none', because: 'reaches-zero' };
  const text = (value: number): string => value.toFixed(maxDecimals);
  return { kind: 'threshold', is, threshold, usual: { low: text(low), high: text(high) } };
}

const digits = 2;

const typedDecimals = 6;

function roundedOutwards(kind: ReportKind, id: string, value: number, is: 'below' | 'above'): string | null {
  if (value <= 0) return null;
  const unit = metricOf(kind, id)?.kind;
  const decimals = unit === 'count' ? 0 : typedDecimals + (unit === 'share' ? 2 : 0);
  const exponent = Math.max(Math.floor(Math.log10(value)) - (digits - 1), -decimals);
  const units = exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent;
  // The tolerance keeps a value that is already round, such as 0.07, whose product is 7.000000000000001.
  const whole = BigInt(is === 'below' ? Math.floor(units + tolerance) : Math.ceil(units - tolerance));
  if (whole === 0n) return null;
  const power = 10n ** BigInt(Math.abs(exponent));
  return exactText(
    exponent < 0 ? { over: whole, under: power } : { over: whole * power, under: 1n },
    decimals,
  );
}

const tolerance = 1e-9;
