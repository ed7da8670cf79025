import { fieldsOfKind } from './cells.ts';

/** The decimal mark of a file's numbers. `unknown` if no number in the file decides it. */
export const decimalMarks = ['point', 'comma', 'unknown'] as const;

export type DecimalMark = (typeof decimalMarks)[number];

/** `year-first` if no date needs an order; `unknown` if it is undecided. */
export const dateOrders = ['year-first', 'day-first', 'month-first', 'unknown'] as const;

export type DateOrder = (typeof dateOrders)[number];

export interface FileNotation {
  decimals: DecimalMark;
  dates: DateOrder;
}

type Cells = ReadonlyMap<string, string>;

const commaNumber = /^-?\d+,\d{1,2}$|^-?\d+,\d{4,}$|^-?0,\d+$/u;
const pointNumber = /^-?\d+\.\d{1,2}$|^-?\d+\.\d{4,}$|^-?0\.\d+$/u;

const amountFields = [...fieldsOfKind('amount', 'budget'), 'freq_counter', 'traffic_speed_counter'];

/**
 * The decimal mark of the amounts in the file, if it is unambiguous. `1,234` is ambiguous. Other columns, such as OS
 * versions, are not considered.
 */
export function decimalMarkOf(rows: readonly Cells[]): DecimalMark {
  const cells = rows.flatMap((row) => amountFields.map((field) => row.get(field)?.trim() ?? ''));
  const hasComma = cells.some((cell) => commaNumber.test(cell));
  const hasPoint = cells.some((cell) => pointNumber.test(cell));
  return hasComma === hasPoint ? 'unknown' : hasComma ? 'comma' : 'point';
}

const dateFields = fieldsOfKind('date');

export function dateOrderOf(rows: readonly Cells[]): DateOrder {
  const dates = rows.flatMap((row) => dateFields.map((field) => partsOf(row.get(field) ?? '')));
  const orders = new Set(dates.flatMap((parts) => (parts === null ? [] : [orderOf(parts)])));
  const [isDayFirst, isMonthFirst] = [orders.has('day-first'), orders.has('month-first')];
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'day-first' : 'month-first';
  return isDayFirst || orders.has('unknown') ? 'unknown' : 'year-first';
}

/**
 * Reads a date as YYYY-MM-DD without checking that the day exists. Null for no date, both readings if the date is
 * ambiguous.
 */
export function readDateCell(cell: string, order: DateOrder): string | [string, string] | null {
  const [, year, month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u.exec(cell) ?? [];
  if (year !== undefined) return isoDate(year, month, day);
  // With points, as in `1.2.2026`, the day always comes first.
  const [, dottedDay, dottedMonth = '', dottedYear = ''] =
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(cell) ?? [];
  if (dottedDay !== undefined) return isoDate(dottedYear, dottedMonth, dottedDay);
  const parts = partsOf(cell);
  if (parts === null) return null;
  const dayFirst = isoDate(parts.year, parts.second, parts.first);
  const monthFirst = isoDate(parts.year, parts.first, parts.second);
  if (order === 'day-first') return dayFirst;
  if (order === 'month-first') return monthFirst;
  const ownOrder = orderOf(parts);
  return ownOrder === 'unknown' ? [dayFirst, monthFirst] : ownOrder === 'month-first' ? monthFirst : dayFirst;
}

interface DateParts {
  first: string;
  second: string;
  year: string;
}

function partsOf(cell: string): DateParts | null {
  const [, first = '', , second = '', year] = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})$/u.exec(cell.trim()) ?? [];
  return year === undefined ? null : { first, second, year };
}

/** `same` if day and month are equal. */
function orderOf({ first, second }: DateParts): 'day-first' | 'month-first' | 'unknown' | 'same' {
  if (Number(first) > 12) return 'day-first';
  if (Number(second) > 12) return 'month-first';
  return Number(first) === Number(second) ? 'same' : 'unknown';
}

function isoDate(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
