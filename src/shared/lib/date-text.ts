/** The last time that a `Date` can represent (ECMA-262 §21.4.1.1). */
export const lastMomentMs = 8.64e15;

/** True for a time since 1970 that a `Date` can represent. No other number can be formatted. */
export function isMoment(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= lastMomentMs;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a calendar date YYYY-MM-DD, which has no time zone, as `31 Dec 2026`. Any other text stays unchanged. */
export function fullDateText(date: string): string {
  const [, year, month = '', day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? date : `${Number(day)} ${name} ${year}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function weekdayText(date: string): string {
  return weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
}

export function dayAndDateText(date: string): string {
  return `${weekdayText(date)} ${fullDateText(date)}`;
}

/** Formats a calendar date as `31 Dec` in the current year, else as `31 Dec 2031`. */
export function dateText(date: string, currentYear: number): string {
  const text = fullDateText(date);
  return text.endsWith(` ${currentYear}`) ? text.slice(0, -5) : text;
}

const dayMs = 24 * 60 * 60_000;

/** False from ten years on: such an end means that there is no limit. */
export function hasTimeLimit(untilMs: number, nowMs: number): boolean {
  return untilMs - nowMs <= 3_650 * dayMs;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
