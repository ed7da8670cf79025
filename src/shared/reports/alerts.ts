import type { Formats } from '../lib/formats.ts';
import {
  compareExact,
  type Exact,
  exactDecimal,
  exactOf,
  exactText,
  plus,
  ratioOf,
  scaled,
  sizeText,
  withDecimals,
} from './decimals.ts';
import { formatValue } from './format.ts';
import { columnInSentence, columnLabel } from './labels.ts';
import { isRatio, metricOf, reportMetrics, type ReportKind } from './metrics.ts';
import { addDays, comparedRange, type DayRange } from './range.ts';

/** Both windows end yesterday, because the current day is incomplete. */
export const alertWindows = ['yesterday', 'last7'] as const;

export type AlertWindow = (typeof alertWindows)[number];

export const alertBases = ['previous', 'weekdays'] as const;

/**
 * A level is crossed beyond its threshold. A change is crossed from its percentage on, in percentage points for shares.
 * Amounts are exact decimal texts.
 */
export type AlertCondition =
  | { kind: 'level'; is: 'below' | 'above'; threshold: string }
  | { kind: 'change'; is: 'down' | 'up'; percent: string; against: (typeof alertBases)[number] };

/** If the sum in `least` is not reached, the alert is not evaluated. */
export interface AlertTest {
  metric: string;
  window: AlertWindow;
  condition: AlertCondition;
  least: { metric: string; count: string } | null;
}

/**
 * Exact decimal texts by column; null if the service sent none. `complete` is false if a day is missing or was read
 * before its end.
 */
export interface DaySums {
  complete: boolean;
  sums: Readonly<Record<string, string | null>>;
}

/** The sums of days without traffic. */
export function noTraffic(kind: ReportKind): DaySums['sums'] {
  const sums = reportMetrics[kind].filter((metric) => !isRatio(metric));
  return Object.fromEntries(sums.map(({ id }) => [id, '0']));
}

export type UnknownReason = 'incomplete' | 'no-value' | 'nothing-before' | 'not-computed';

export type AlertReading =
  | { kind: 'crossed' | 'clear'; now: Exact; before: Exact | null }
  | { kind: 'too-little' }
  | { kind: 'unknown'; because: UnknownReason };

export type AlertState = 'clear' | 'crossed';

export function alertDays(test: AlertTest, today: string): { range: DayRange; before: DayRange | null } {
  const yesterday = addDays(today, -1);
  const range = { from: test.window === 'yesterday' ? yesterday : addDays(today, -7), to: yesterday };
  const { condition } = test;
  return { range, before: condition.kind === 'level' ? null : comparedRange(range, condition.against) };
}

/** Computes ratios from sums. Null if a part is missing or the denominator is zero. */
export function metricValue(kind: ReportKind, id: string, sums: DaySums['sums']): Exact | null {
  const metric = metricOf(kind, id);
  const sumOf = (column: string): Exact | null => {
    const text = sums[column] ?? null;
    return text === null ? null : exactOf(text);
  };
  if (metric === undefined || !isRatio(metric)) return sumOf(id);
  const over = sumOf(metric.over);
  const under = sumOf(metric.under);
  return over === null || under === null ? null : ratioOf(over, under, metric.times);
}

export function readAlert(
  kind: ReportKind,
  test: AlertTest,
  days: { now: DaySums; before: DaySums | null },
): AlertReading {
  const { now, before } = days;
  if (test.condition.kind === 'level') {
    if (!now.complete) return { kind: 'unknown', because: 'incomplete' };
    return reaches(test, now) ? readLevel(kind, test, now) : { kind: 'too-little' };
  }
  if (!now.complete || before?.complete !== true) return { kind: 'unknown', because: 'incomplete' };
  if (!changeReaches(kind, test, now, before)) return { kind: 'too-little' };
  return readChange(kind, test, now, before);
}

function readLevel(kind: ReportKind, { metric, condition }: AlertTest, { sums }: DaySums): AlertReading {
  const now = metricValue(kind, metric, sums);
  if (now === null || condition.kind !== 'level') return { kind: 'unknown', because: 'no-value' };
  const order = compareExact(now, exactOf(condition.threshold));
  return {
    kind: (condition.is === 'below' ? order < 0 : order > 0) ? 'crossed' : 'clear',
    now,
    before: null,
  };
}

function readChange(
  kind: ReportKind,
  { metric, condition }: AlertTest,
  days: DaySums,
  daysBefore: DaySums,
): AlertReading {
  const now = metricValue(kind, metric, days.sums);
  const before = metricValue(kind, metric, daysBefore.sums);
  if (now === null || before === null || condition.kind !== 'change') {
    return { kind: 'unknown', because: 'no-value' };
  }
  const isShare = metricOf(kind, metric)?.kind === 'share';
  if (!isShare && before.over <= 0n) return { kind: 'unknown', because: 'nothing-before' };
  const { over, under } = exactOf(condition.percent);
  const part = { over: condition.is === 'down' ? -over : over, under: 100n * under };
  const limit = plus(before, isShare ? part : scaled(before, part.over, part.under));
  const order = compareExact(now, limit);
  return { kind: (condition.is === 'down' ? order <= 0 : order >= 0) ? 'crossed' : 'clear', now, before };
}

/** Both sides of a ratio need the minimum volume. For a sum one side is enough, because it may collapse or surge. */
function changeReaches(kind: ReportKind, test: AlertTest, now: DaySums, before: DaySums): boolean {
  const metric = metricOf(kind, test.metric);
  const both = metric !== undefined && isRatio(metric);
  return both ? reaches(test, now) && reaches(test, before) : reaches(test, now) || reaches(test, before);
}

function reaches({ least }: AlertTest, { sums }: DaySums): boolean {
  if (least === null) return true;
  const volume = sums[least.metric] ?? null;
  return volume !== null && compareExact(exactOf(volume), exactOf(least.count)) >= 0;
}

/** Emits one event per crossing. The next event needs a recovery first. */
export function followAlert(
  state: AlertState,
  reading: AlertReading,
): { state: AlertState; event: 'crossed' | 'recovered' | null } {
  if (reading.kind === 'too-little' || reading.kind === 'unknown') return { state, event: null };
  if (reading.kind === state) return { state, event: null };
  return { state: reading.kind, event: reading.kind === 'crossed' ? 'crossed' : 'recovered' };
}

const maxDecimals = 12;

/** For example `Click rate: below 2% · yesterday`. Contains no untrusted text. */
export function alertTitle(
  kind: ReportKind,
  { metric, condition, window }: AlertTest,
  formats: Formats,
): string {
  return `${columnLabel({ id: metric, label: null })}: ${conditionText(kind, metric, condition, formats)} · ${windowText(window)}`;
}

function windowText(window: AlertTest['window']): string {
  return window === 'yesterday' ? 'yesterday' : 'last 7 days';
}

/** For example `at least 1,000 gross requests`. Null without a minimum. */
export function volumeText({ least }: AlertTest, formats: Formats): string | null {
  if (least === null) return null;
  const name = columnInSentence({ id: least.metric, label: null });
  return `at least ${formatValue({ id: least.metric, kind: 'count' }, least.count, formats)} ${name}`;
}

export function metricText(kind: ReportKind, id: string, value: string | null, formats: Formats): string {
  return formatValue({ id, kind: metricOf(kind, id)?.kind ?? 'count' }, value, formats);
}

/** Converts a share to the percentage that people type: 0.02 becomes 2. */
export function typedThreshold(kind: ReportKind, metric: string, threshold: string): string {
  return isShare(kind, metric) ? exactText(scaled(exactOf(threshold), 100n, 1n), maxDecimals) : threshold;
}

/** Reverses {@link typedThreshold}. Throws unless `typed` is a plain decimal. */
export function thresholdOf(kind: ReportKind, metric: string, typed: string): string {
  return exactText(scaled(exactOf(typed), 1n, isShare(kind, metric) ? 100n : 1n), maxDecimals);
}

function isShare(kind: ReportKind, metric: string): boolean {
  return metricOf(kind, metric)?.kind === 'share';
}

/** Thresholds are never rounded, unlike figures. */
function thresholdText(kind: ReportKind, metric: string, threshold: string, formats: Formats): string {
  const typed = typedThreshold(kind, metric, threshold);
  const unit = metricOf(kind, metric)?.kind;
  if (unit === 'share') return `${exactAmount(typed, formats)}%`;
  if (unit !== 'money' && unit !== 'rate') return metricText(kind, metric, threshold, formats);
  return `$${exactAmount(typed, formats, centDecimals)}`;
}

const centDecimals = 2;

function exactAmount(text: string, formats: Formats, leastDecimals = 0): string {
  const exact = exactDecimal(text);
  return sizeText(
    exact.scale === 0 ? exact : withDecimals(exact, Math.max(leastDecimals, exact.scale)),
    formats,
  );
}

function conditionText(
  kind: ReportKind,
  metric: string,
  condition: AlertTest['condition'],
  formats: Formats,
): string {
  if (condition.kind === 'level') {
    return `${condition.is} ${thresholdText(kind, metric, condition.threshold, formats)}`;
  }
  const verb = condition.is === 'down' ? 'falls' : 'rises';
  const base = condition.against === 'previous' ? 'the previous period' : 'the same weekdays before';
  const unit = isShare(kind, metric) ? ' points' : '%';
  return `${verb} by ${exactAmount(condition.percent, formats)}${unit} against ${base}`;
}
