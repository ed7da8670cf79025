/** The last moment that a date can hold (ECMA-262, §21.4.1.1). */
export const lastMomentMs = 8.64e15;

/** True for a moment since 1970 that a date can hold: only such a one has a text. */
export function isMoment(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= lastMomentMs;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `31 Dec 2026` of a calendar date YYYY-MM-DD, which belongs to no time zone. Any other text stays as it is. */
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

/** `31 Dec` of a calendar date in the current year, `31 Dec 2031` of any other. */
export function dateText(date: string, currentYear: number): string {
  const text = fullDateText(date);
  return text.endsWith(` ${currentYear}`) ? text.slice(0, -5) : text;
}

const dayMs = 24 * 60 * 60_000;

/** False from ten years on: such an end stands for none. */
export function hasTimeLimit(untilMs: number, nowMs: number): boolean {
  return untilMs - nowMs <= 3_650 * dayMs;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
