import { dateOfDay, dayNumber, weekday, zonedDateTime } from '../campaign/index.ts';
import { readDateCell } from './csv/notation.ts';

export type TypedDate =
  | { kind: 'date'; date: string }
  | { kind: 'shift'; days: number }
  | { kind: 'empty' }
  | { kind: 'wrong'; message: string };

/** In days. Must equal the limit of the app API. */
const maxShift = 3_650;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Names can be shortened to three or more letters: `sun`, `sept`. */
const indexOfName = (name: string, names: readonly string[]): number =>
  name.length < 3 ? -1 : names.findIndex((full) => full.startsWith(name));

/**
 * Reads `2026-12-31`, `31 Dec`, `31/12/2026`, `+14d`, `-2w`, `today`, `Sun`, `end of month`. Refuses ambiguous dates.
 * `today` is YYYY-MM-DD.
 */
export function readTypedDate(typed: string, today: string): TypedDate {
  const text = typed.trim().replace(/[−–]/u, '-').replaceAll(/\s+/gu, ' ').toLowerCase();
  if (text === '') return { kind: 'empty' };
  return (
    readShift(text) ??
    readNamedDay(text, today) ??
    readMonthName(text, today) ??
    readNumericDate(text) ??
    wrong('Enter a date such as 2026-12-31, +14d, Sun or end of month.')
  );
}

/** Parses a typed day. Shifts count from `today`, YYYY-MM-DD. */
export function readDay(typed: string, today: string): { date: string } | { fault: string } {
  const read = readTypedDate(typed, today);
  switch (read.kind) {
    case 'date':
      return { date: read.date };
    case 'shift':
      return { date: dateAfter(today, read.days) };
    case 'empty':
      return { fault: 'Enter a date.' };
    case 'wrong':
      return { fault: read.message };
  }
}

/** Converts a local date and time to an instant. Refuses past times. */
export function readMoment(
  moment: { date: string; time: string; zone: string },
  nowMs: number,
): { at: string; atMs: number } | { fault: string } {
  const found = zonedDateTime(moment);
  if (found === null) return { fault: 'The clocks skip this time on that day. Choose another one.' };
  return found.atMs <= nowMs ? { fault: 'Choose a time in the future.' } : found;
}

/** The date, YYYY-MM-DD, `days` calendar days later. Clock changes do not affect it. */
export function dateAfter(date: string, days: number): string {
  return dateOfDay((dayNumber(date) ?? 0) + days);
}

function readShift(text: string): TypedDate | null {
  const [, sign, count = '', unit = ''] = /^([+-])? ?(\d{1,6}) ?([a-z]*)$/u.exec(text) ?? [];
  if (count === '' || (sign === undefined && unit === '')) return null;
  const isWeeks = /^(w|week|weeks)$/u.test(unit);
  if (!isWeeks && !/^(d|day|days)?$/u.test(unit))
    return /^(m|mo|month|months|y|year|years)$/u.test(unit)
      ? wrong('Move a date by days or weeks: +14d or +2w.')
      : null;
  const days = Number(count) * (isWeeks ? 7 : 1);
  if (days === 0) return wrong('Move a date by at least one day.');
  if (days > maxShift) return wrong('Move a date by at most 3,650 days.');
  return { kind: 'shift', days: sign === '-' ? -days : days };
}

function readNamedDay(text: string, today: string): TypedDate | null {
  if (text === 'today') return day(today);
  if (text === 'tomorrow') return day(dateAfter(today, 1));
  const now = weekday(dayNumber(today) ?? 0);
  const named = indexOfName(text, weekdays);
  if (named >= 0) return day(dateAfter(today, ((named - now + 6) % 7) + 1));
  const [, period] = /^end of (?:the )?(week|month|next month|quarter|year)$/u.exec(text) ?? [];
  if (period === undefined) return null;
  if (period === 'week') return day(dateAfter(today, 6 - now));
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const endMonths = { month, 'next month': month + 1, quarter: Math.ceil(month / 3) * 3, year: 12 };
  return day(lastDay(year, endMonths[period as keyof typeof endMonths]));
}

function lastDay(year: number, month: number): string {
  const next = month >= 12 ? `${year + 1}-${twoDigits(month - 11)}-01` : `${year}-${twoDigits(month + 1)}-01`;
  return dateAfter(next, -1);
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Years to search for a date without a year. Eight are needed from 29 February 2096 to 29 February 2104. */
const maxYearsAhead = 8;

function readMonthName(text: string, today: string): TypedDate | null {
  const [, first = '', second = '', year] =
    /^(\d{1,2}|[a-z]+)\.? (\d{1,2}|[a-z]+)\.?(?:,? (\d{4}))?$/u.exec(text) ?? [];
  const [dayText, name] = /^\d/u.test(first) ? [first, second] : [second, first];
  const month = indexOfName(name, months) + 1;
  if (month === 0 || !/^\d/u.test(dayText)) return null;
  const dateIn = (inYear: number): string => `${inYear}-${twoDigits(month)}-${twoDigits(Number(dayText))}`;
  if (year !== undefined) return day(dateIn(Number(year)));
  const now = Number(today.slice(0, 4));
  const years = Array.from({ length: maxYearsAhead + 1 }, (_, ahead) => now + ahead);
  const next = years.map(dateIn).find((date) => dayNumber(date) !== null && date >= today);
  return day(next ?? dateIn(now));
}

function readNumericDate(text: string): TypedDate | null {
  const read = readDateCell(text, 'unknown');
  if (read === null) return null;
  return Array.isArray(read)
    ? wrong(`This can be read in two ways. Enter ${read[0]} or ${read[1]}.`)
    : day(read);
}

function day(date: string): TypedDate {
  return dayNumber(date) === null
    ? wrong('There is no such day. Check day and month.')
    : { kind: 'date', date };
}

function wrong(message: string): TypedDate {
  return { kind: 'wrong', message };
}
