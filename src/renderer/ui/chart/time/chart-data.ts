import { columnLabel, type NamedColumn } from '#shared/reports/index.ts';
import { valueTicks } from './ticks.ts';

/** A day of a report with a value for each column, as `reports.page` answers. */
export interface ReportDay {
  date: string;
  values: readonly (string | null)[];
}

/** The data of a chart: one or two columns over days, and the compared days, the first below the first. */
export interface ChartInput {
  columns: readonly NamedColumn[];
  /** Ids of the columns to draw; two at most. */
  shown: readonly string[];
  days: readonly ReportDay[];
  comparedDays: readonly ReportDay[];
  /** The current day; its figures still grow. */
  incompleteDay: string | null;
}

/** A column with its figures, as exact texts for reading and as numbers for drawing. */
export interface ChartLine {
  column: NamedColumn;
  label: string;
  texts: readonly (string | null)[];
  values: readonly (number | null)[];
  /** Null where nothing is compared. */
  compared: { texts: readonly (string | null)[]; values: readonly (number | null)[] } | null;
  axis: 0 | 1;
}

export interface ChartData {
  dates: readonly string[];
  /** Below each day the one that it is compared with; empty where nothing is. */
  comparedDates: readonly string[];
  lines: readonly ChartLine[];
  /** The values at the marks of each axis, one or two axes. */
  ticks: readonly (readonly number[])[];
  /** The place of the incomplete day; -1 where there is none. */
  incomplete: number;
}

/** Up to this ratio two columns of one kind share an axis: beyond it the smaller one would lie flat. */
const sharedAxisUpTo = 6;

/** Makes the figures of a chart ready for drawing. Unknown columns are left out. */
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
