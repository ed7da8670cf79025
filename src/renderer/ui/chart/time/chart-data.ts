import { columnLabel, type NamedColumn } from '#shared/reports/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';

export interface ReportDay {
  date: string;
  values: readonly (string | null)[];
}

export interface ChartInput {
  columns: readonly NamedColumn[];
  shown: readonly string[];
  days: readonly ReportDay[];
  comparedDays: readonly ReportDay[];
  incompleteDay: string | null;
}

/** `texts` are exact and for reading. `values` are numbers for drawing. */
export interface ChartLine {
  column: NamedColumn;
  label: string;
  texts: readonly (string | null)[];
  values: readonly (number | null)[];
  compared: { texts: readonly (string | null)[]; values: readonly (number | null)[] } | null;
  axis: 0 | 1;
}

export interface ChartData {
  dates: readonly string[];
  /** By day. Empty without a comparison. */
  comparedDates: readonly string[];
  lines: readonly ChartLine[];
  ticks: readonly (readonly number[])[];
  /** Index of the incomplete day, or -1. */
  incomplete: number;
}

/** Up to this ratio two columns of one kind share an axis. Beyond it the line of the smaller column would be flat. */
const sharedAxisUpTo = 6;

/** The data of a chart. Unknown columns are ignored. */
export function chartData({ columns, shown, days, comparedDays, incompleteDay }: ChartInput): ChartData {
  const isCompared = comparedDays.length > 0;
  const lines = shown.slice(0, 2).flatMap((id) => {
    const at = columns.findIndex((column) => column.id === id);
    const column = columns[at];
    if (column === undefined) return [];
    const texts = days.map(({ values }) => values[at] ?? null);
    const before = days.map((_, day) => comparedDays[day]?.values[at] ?? null);
    return {
      column,
      label: columnLabel(column),
      texts,
      values: texts.map(toNumber),
      compared: isCompared ? { texts: before, values: before.map(toNumber) } : null,
    };
  });
  const [first, second] = lines;
  const twoAxes = first !== undefined && second !== undefined && !shareAnAxis(first, second);
  const withAxes = lines.map((line, at): ChartLine => ({ ...line, axis: twoAxes && at === 1 ? 1 : 0 }));
  return {
    dates: days.map(({ date }) => date),
    comparedDates: isCompared ? days.flatMap((_, day) => comparedDays[day]?.date ?? []) : [],
    lines: withAxes,
    ticks: (twoAxes ? [0, 1] : [0]).map((axis) => ticksOf(withAxes, axis, twoAxes)),
    incomplete: days.findIndex(({ date }) => date === incompleteDay),
  };
}

type Drawn = Omit<ChartLine, 'axis'>;

function shareAnAxis(one: Drawn, other: Drawn): boolean {
  if (one.column.kind !== other.column.kind) return false;
  const [low, high] = [extent([one]).max, extent([other]).max].toSorted((a, b) => a - b);
  return low !== undefined && high !== undefined && high <= low * sharedAxisUpTo;
}

function ticksOf(lines: readonly ChartLine[], axis: number, exact: boolean): number[] {
  const own = lines.filter((line) => line.axis === axis);
  const whole = own.every(({ column }) => column.kind === 'count');
  return valueTicks({ ...extent(own), whole, divisions: 4, exact });
}

function extent(lines: readonly Drawn[]): { min: number; max: number } {
  const all = lines.flatMap(({ values, compared }) => [...values, ...(compared?.values ?? [])]);
  const found = all.filter((value) => value !== null);
  return { min: Math.min(0, ...found), max: Math.max(0, ...found) };
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

interface ValueRange {
  min: number;
  max: number;
  whole: boolean;
  /** Number of parts of the axis, so that the grid lines of two axes coincide. */
  divisions: number;
  exact: boolean;
}

/** At least two round values, including zero. */
export function valueTicks({ min, max, whole, divisions, exact }: ValueRange): number[] {
  const low = Math.min(0, min);
  const high = Math.max(0, max);
  const step = niceStep((high - low || 1) / divisions, whole);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9), exact ? first + divisions : first + 1);
  // Rounds, because 3 × 0.1 is not 0.3 in binary fractions.
  const per = step < 1 ? Math.round(1 / step) : 0;
  const isPart = per > 0 && Math.abs(1 / per - step) < 1e-12;
  return Array.from({ length: last - first + 1 }, (_, at) =>
    isPart ? (first + at) / per : (first + at) * step,
  );
}

function niceStep(least: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const found = steps.find((step) => step * power >= least * (1 - 1e-9)) ?? 10;
  const step = found * power;
  return whole ? Math.max(1, Math.ceil(step)) : step;
}

interface DayTick {
  index: number;
  label: string;
}

const leastLabelWidth = 64;
const dayStrides = [1, 2];
const weekStrides = [1, 2];
const monthStrides = [1, 2, 3, 6, 12, 24, 48];

/** A tick for every day, every Monday, or every first of a month, depending on `width` in pixels. */
export function dayTicks(dates: readonly string[], width: number): DayTick[] {
  const room = Math.max(1, Math.floor(width / leastLabelWidth));
  if (dates.length === 0) return [];
  const days = dates.map((_, index) => index);
  const weeks = days.filter((index) => dayOfWeek(dates[index]) === 1);
  const months = days.filter((index) => dates[index]?.endsWith('-01'));
  const fitting = (found: number[], strides: number[]): number[] | undefined =>
    strides
      .map((stride) => found.filter((_, at) => at % stride === 0))
      .find((some) => some.length > 0 && some.length <= room);
  const byDay = fitting(days, dayStrides) ?? fitting(weeks, weekStrides);
  if (byDay === undefined && months.length === 0) return [{ index: 0, label: shortDay(dates[0] ?? '') }];
  if (byDay) return byDay.map((index) => ({ index, label: shortDay(dates[index] ?? '') }));
  const byMonth = fitting(months, monthStrides) ?? [];
  return byMonth.map((index, at) => ({ index, label: monthText(dates[index] ?? '', at === 0) }));
}

function dayOfWeek(date = ''): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

function shortDay(date: string): string {
  return fullDateText(date).slice(0, -5);
}

/** `Nov`, or `Jan 2027` at the start of a year or of the axis. */
function monthText(date: string, withYear: boolean): string {
  const [, month = '', year = ''] = fullDateText(date).split(' ');
  return withYear || date.slice(5, 7) === '01' ? `${month} ${year}` : month;
}
