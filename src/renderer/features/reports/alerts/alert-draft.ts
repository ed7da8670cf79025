import type { AlertRule, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { withoutSpaces } from '#shared/lib/formats.ts';
import { thresholdOf, typedThreshold, type AlertCondition } from '#shared/reports/index.ts';

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
