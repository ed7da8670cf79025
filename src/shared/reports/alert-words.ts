import type { AlertTest } from './alerts.ts';
import { exactDecimal, sizeText, withDecimals, exactOf, exactText, scaled } from './decimals.ts';
import { formatValue } from './format.ts';
import { columnInSentence, columnLabel } from './labels.ts';
import { metricOf, type ReportKind } from './metrics.ts';
import type { Formats } from '../lib/formats.ts';

const maxDecimals = 12;

/** `Click rate: below 2% · yesterday`, without foreign text. */
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

/** `at least 1,000 gross requests`; null without a minimum. */
export function volumeText({ least }: AlertTest, formats: Formats): string | null {
  if (least === null) return null;
  const name = columnInSentence({ id: least.metric, label: null });
  return `at least ${formatValue({ id: least.metric, kind: 'count' }, least.count, formats)} ${name}`;
}

export function metricText(kind: ReportKind, id: string, value: string | null, formats: Formats): string {
  return formatValue({ id, kind: metricOf(kind, id)?.kind ?? 'count' }, value, formats);
}

/** A share of 0.02 is typed as 2. */
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

/** A threshold is never rounded, unlike figures. */
function thresholdText(kind: ReportKind, metric: string, threshold: string, formats: Formats): string {
  const typed = typedThreshold(kind, metric, threshold);
  const unit = metricOf(kind, metric)?.kind;
  if (unit === 'share') return `${exactAmount(typed, formats)}%`;
  if (unit !== 'money' && unit !== 'rate') return metricText(kind, metric, threshold, formats);
  return `$${exactAmount(typed, formats, centDecimals)}`;
}

const centDecimals = 2;

/** Every decimal is kept: `1,000`, `0.125`, `2.50`. */
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
