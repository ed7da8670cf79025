import { isRatio, metricOf, type ReportKind } from './metrics.ts';
import { addDays, comparedRange, type DayRange } from './range.ts';
import { compareExact, exactOf, plus, ratioOf, scaled, type Exact } from './decimals.ts';

/** The days that an alert looks at. Both end yesterday: the current day is incomplete. */
export const alertWindows = ['yesterday', 'last7'] as const;

export type AlertWindow = (typeof alertWindows)[number];

/** The days that a change is measured against. */
export const alertBases = ['previous', 'weekdays'] as const;

/**
 * A level is crossed by less or more than the threshold; a change by that many percent or more, of a share by percentage points. Exact
 * decimal texts.
 */
export type AlertCondition =
  | { kind: 'level'; is: 'below' | 'above'; threshold: string }
  | { kind: 'change'; is: 'down' | 'up'; percent: string; against: (typeof alertBases)[number] };

/** The part of an alert that decides. `least` names a sum that must reach a count before the alert says anything. */
export interface AlertTest {
  metric: string;
  window: AlertWindow;
  condition: AlertCondition;
  least: { metric: string; count: string } | null;
}

/**
 * Sums of complete days by column, as exact decimal texts; null if the service sent nothing. `complete` is false while
 * a day is missing or was not over when it was read.
 */
export interface DaySums {
  complete: boolean;
  sums: Readonly<Record<string, string | null>>;
}

export type UnknownReason = 'incomplete' | 'no-value' | 'nothing-before' | 'not-computed';

/** A crossing is decided on exact numbers; `too-little` and `unknown` decide nothing. */
export type AlertReading =
  | { kind: 'crossed' | 'clear'; now: Exact; before: Exact | null }
  | { kind: 'too-little' }
  | { kind: 'unknown'; because: UnknownReason };

export type AlertState = 'clear' | 'crossed';

/** The days of an alert on the service day `today`, and those that it compares with. */
export function alertDays(test: AlertTest, today: string): { range: DayRange; before: DayRange | null } {
  const yesterday = addDays(today, -1);
  const range = { from: test.window === 'yesterday' ? yesterday : addDays(today, -7), to: yesterday };
  const { condition } = test;
  return { range, before: condition.kind === 'level' ? null : comparedRange(range, condition.against) };
}

/** The value of a metric, ratios from sums; null where a part is missing or it is a ratio of nothing. */
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

/** Reads an alert. `before` counts only where the condition is a change. */
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

/** A ratio is noise where either side is small; a sum that collapses is small now, and one that surges was small before. */
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

/** The next state of an alert and its event: one for each crossing, and none again until it has recovered. */
export function followAlert(
  state: AlertState,
  reading: AlertReading,
): { state: AlertState; event: 'crossed' | 'recovered' | null } {
  if (reading.kind === 'too-little' || reading.kind === 'unknown') return { state, event: null };
  if (reading.kind === state) return { state, event: null };
  return { state: reading.kind, event: reading.kind === 'crossed' ? 'crossed' : 'recovered' };
}
