import type { AlertRule, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { withoutSpaces } from '#shared/lib/number-text.ts';
import {
  isRatio,
  metricOf,
  minVolume,
  thresholdOf,
  typedThreshold,
  type AlertCondition,
  type ThresholdProposal,
} from '#shared/reports/index.ts';

export interface AlertDraft {
  metric: string;
  window: AlertRule['window'];
  condition: 'below' | 'above' | 'down' | 'up';
  amount: string;
  against: 'previous' | 'weekdays';
  dimension: string;
  value: string;
  leastMetric: string;
  least: string;
}

export const wholeReport = '';

export function draftOf(source: ReportSource, rule: AlertRule | null, only: ReportValue | null): AlertDraft {
  const volume = source.kind === 'xml' ? 'gross_requests' : 'total';
  const condition = rule?.condition ?? null;
  const scope = rule === null ? only : rule.only;
  return {
    metric: rule?.metric ?? 'click_rate',
    window: rule?.window ?? 'yesterday',
    condition: condition?.is ?? 'below',
    amount:
      condition === null
        ? ''
        : condition.kind === 'change'
          ? condition.percent
          : typedThreshold(source.kind, rule?.metric ?? '', condition.threshold),
    against: condition?.kind === 'change' ? condition.against : 'weekdays',
    dimension: scope?.dimension ?? wholeReport,
    value: scope?.value ?? '',
    leastMetric: rule?.least?.metric ?? volume,
    least: rule === null ? '1000' : (rule.least?.count ?? '0'),
  };
}

/**
 * A draft whose threshold is still to be proposed. A sum has no minimum volume, because a collapse is a small volume. A
 * ratio needs the volume with which days count for its usual range.
 */
export function draftFor(source: ReportSource, only: ReportValue | null, id: string): AlertDraft {
  const draft = draftOf(source, null, only);
  const metric = metricOf(source.kind, id);
  if (metric === undefined || !isRatio(metric)) return { ...draft, metric: id, least: '0' };
  const isCount = metricOf(source.kind, metric.under)?.kind === 'count';
  const leastMetric = isCount ? metric.under : draft.leastMetric;
  return { ...draft, metric: id, leastMetric, least: String(minVolume) };
}

export function withProposal(
  { kind }: ReportSource,
  draft: AlertDraft,
  { is, threshold }: Pick<ThresholdProposal & { kind: 'threshold' }, 'is' | 'threshold'>,
): AlertDraft {
  return { ...draft, condition: is, amount: typedThreshold(kind, draft.metric, threshold) };
}

const amountPattern = /^\d{1,12}(?:\.\d{1,6})?$/u;

const typedNumber = (text: string): string => withoutSpaces(text.trim());

export function errorsOf({ amount, least }: AlertDraft): { amount?: string; least?: string } {
  return {
    ...(amountPattern.test(typedNumber(amount))
      ? {}
      : { amount: 'Enter digits and at most one point, for example 2.5.' }),
    ...(/^\d{1,15}$/u.test(typedNumber(least)) ? {} : { least: 'Enter a whole number, for example 1000.' }),
  };
}

/** The rule without what is not filled in correctly yet. */
export function trialOf(
  source: ReportSource,
  draft: AlertDraft,
): Omit<AlertRule, 'condition'> & { condition: AlertRule['condition'] | null } {
  const errors = errorsOf(draft);
  const amount = errors.amount === undefined ? draft.amount : '0';
  const least = errors.least === undefined ? draft.least : '0';
  const rule = ruleOf(source, { ...draft, amount, least });
  return errors.amount === undefined ? rule : { ...rule, condition: null };
}

export function ruleOf(source: ReportSource, draft: AlertDraft): AlertRule {
  const { metric, window, condition, against, dimension, value, leastMetric } = draft;
  const amount = typedNumber(draft.amount);
  const least = typedNumber(draft.least);
  const decided: AlertCondition =
    condition === 'down' || condition === 'up'
      ? { kind: 'change', is: condition, percent: amount, against }
      : { kind: 'level', is: condition, threshold: thresholdOf(source.kind, metric, amount) };
  return {
    source,
    only: dimension === wholeReport ? null : { dimension, value },
    metric,
    window,
    condition: decided,
    least: Number(least) === 0 ? null : { metric: leastMetric, count: least },
  };
}
