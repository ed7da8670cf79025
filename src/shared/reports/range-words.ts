import { fullDateText } from '#shared/lib/date-text.ts';
import { daysIn, type Comparison, type DayRange, type RangePreset, type ReportRange } from './range.ts';

export const presetLabels: Readonly<Record<RangePreset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last7: 'Last 7 days',
  last14: 'Last 14 days',
  last30: 'Last 30 days',
  last90: 'Last 90 days',
  'this-month': 'This month',
  'last-month': 'Last month',
};

export const comparisonLabels: Readonly<Record<Comparison, string>> = {
  none: 'No comparison',
  previous: 'Previous period',
  weekdays: 'Same weekdays before',
  year: 'Last year',
};

export function rangeLabel(range: ReportRange): string {
  if ('preset' in range) return presetLabels[range.preset];
  const days = daysIn(range);
  return days === 1 ? '1 day' : `${days} days`;
}

/** `15–21 Nov 2026`, `28 Oct – 3 Nov 2026`, `21 Nov 2026`. */
export function rangeText({ from, to }: DayRange): string {
  const end = fullDateText(to);
  if (from === to) return end;
  const [day = '', month = ''] = fullDateText(from).split(' ');
  if (from.slice(0, 7) === to.slice(0, 7)) return `${day}–${end}`;
  if (from.slice(0, 4) === to.slice(0, 4)) return `${day} ${month} – ${end}`;
  return `${fullDateText(from)} – ${end}`;
}
