import { dayNumber, weekday } from '#shared/campaign/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';

/** Service days, YYYY-MM-DD, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** `lastN` ends yesterday and has complete days only. */
export const rangePresets = [
  'today',
  'yesterday',
  'last7',
  'last14',
  'last30',
  'last90',
  'this-month',
  'last-month',
] as const;

export type RangePreset = (typeof rangePresets)[number];

export type ReportRange = { preset: RangePreset } | DayRange;

/** An equal number of days: directly before, on the same weekdays before, or a year before. */
export const comparisons = ['none', 'previous', 'weekdays', 'year'] as const;

export type Comparison = (typeof comparisons)[number];

/** Two years and a day. */
export const maxRangeDays = 732;

const msPerDay = 86_400_000;
const lengths: Partial<Record<RangePreset, number>> = { last7: 7, last14: 14, last30: 30, last90: 90 };

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * msPerDay).toISOString().slice(0, 10);
}

export function daysIn({ from, to }: DayRange): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / msPerDay) + 1;
}

export function datesIn(range: DayRange): string[] {
  return Array.from({ length: Math.max(0, daysIn(range)) }, (_, at) => addDays(range.from, at));
}

export function resolveRange(range: ReportRange, today: string): DayRange {
  if (!('preset' in range)) return { from: range.from, to: range.to };
  const { preset } = range;
  const monthStart = `${today.slice(0, 7)}-01`;
  const length = lengths[preset];
  if (length !== undefined) return { from: addDays(today, -length), to: addDays(today, -1) };
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'this-month':
      return { from: monthStart, to: today };
    default: {
      const to = addDays(monthStart, -1);
      return { from: `${to.slice(0, 7)}-01`, to };
    }
  }
}

/** The last `length` days before `today`, all complete, as a preset if there is one. */
export function recentDays(length: number, today: string): ReportRange {
  if (length === 1) return { preset: 'yesterday' };
  const preset = rangePresets.find((name) => lengths[name] === length);
  return preset === undefined ? { from: addDays(today, -length), to: addDays(today, -1) } : { preset };
}

export function comparedRange(range: DayRange, comparison: Comparison): DayRange | null {
  const days = daysIn(range);
  const shifted = (by: number): DayRange => ({ from: addDays(range.from, -by), to: addDays(range.to, -by) });
  switch (comparison) {
    case 'none':
      return null;
    case 'previous':
      return shifted(days);
    case 'weekdays':
      return shifted(Math.ceil(days / 7) * 7);
    case 'year':
      // 52 weeks, so that a Monday is compared with a Monday.
      return shifted(364);
  }
}

export interface IncompleteDay {
  date: string;
  isCounted: boolean;
}

export function incompleteDayOf(report: {
  incompleteDay: string | null;
  counted: DayRange | null;
}): IncompleteDay | null {
  const { incompleteDay: date, counted } = report;
  return date === null ? null : { date, isCounted: counted !== null && date <= counted.to };
}

/** True if the row's own value or one of its levels is a day that totals exclude. */
export function isExcludedFromTotals(
  path: readonly (string | null)[],
  levels: readonly string[],
  day: IncompleteDay | null,
): boolean {
  return day !== null && !day.isCounted && path[levels.indexOf('date')] === day.date;
}

export function isWeekend(date: string): boolean {
  return weekday(dayNumber(date) ?? 0) >= 5;
}

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

/** For example `15–21 Nov 2026`, `28 Oct – 3 Nov 2026`, `21 Nov 2026`. */
export function rangeText({ from, to }: DayRange): string {
  const end = fullDateText(to);
  if (from === to) return end;
  const [day = '', month = ''] = fullDateText(from).split(' ');
  if (from.slice(0, 7) === to.slice(0, 7)) return `${day}–${end}`;
  if (from.slice(0, 4) === to.slice(0, 4)) return `${day} ${month} – ${end}`;
  return `${fullDateText(from)} – ${end}`;
}
