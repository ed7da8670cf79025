import type { AppOutput } from '#shared/app-api/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { historyDays, metricText, minUsualDays, type ReportKind } from '#shared/reports/index.ts';

type AlertHistoryAnswer = AppOutput<'reports.alerts.history'>;

const maxDates = 3;

/** For example `Would have fired 2 times in the last 90 days: 3 Nov 2026, 16 Nov 2026.` */
export function trialText({ trial }: AlertHistoryAnswer, formats: Formats): string | null {
  if (trial === null) return null;
  const { checkedDays, firedOn } = trial;
  if (checkedDays === 0) return 'It cannot be tried out: the days that it needs are not loaded.';
  const days =
    checkedDays === historyDays
      ? `the last ${historyDays} days`
      : `the ${checkedDays} of the last ${historyDays} days whose figures are loaded`;
  if (firedOn.length === 0) return `Would not have fired in ${days}.`;
  const dates = firedOn.slice(-maxDates).map(fullDateText).join(', ');
  const most = firedOn.length > maxDates ? 'most recently ' : '';
  return `Would have fired ${formats.counted(firedOn.length, 'time')} in ${days}: ${most}${dates}.`;
}

/** For example `Usually $310.00–$420.00 a day.` If no threshold is proposed, says why. */
export function usualRangeText(
  kind: ReportKind,
  metric: string,
  { knownDays, proposal }: AlertHistoryAnswer,
  formats: Formats,
): string {
  if (proposal.kind === 'threshold') {
    const { low, high } = proposal.usual;
    const text = (value: string): string => metricText(kind, metric, value, formats);
    return `Usually ${text(low)}–${text(high)} a day.`;
  }
  if (proposal.because === 'reaches-zero') return 'No threshold is proposed: a usual day may be near zero.';
  return `No threshold is proposed: it needs ${minUsualDays} days with enough volume, and ${knownDays} of the last ${historyDays} are loaded.`;
}
