const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `31 Dec 2026` of a calendar date YYYY-MM-DD, which belongs to no time zone. Any other text stays as it is. */
export function fullDateText(date: string): string {
  const [, year, month = '', day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? date : `${Number(day)} ${name} ${year}`;
}

/** `31 Dec` of a calendar date in the current year, `31 Dec 2031` of any other. */
export function dateText(date: string, currentYear: number): string {
  const text = fullDateText(date);
  return text.endsWith(` ${currentYear}`) ? text.slice(0, -5) : text;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** `14:02`, in the time zone of this computer. */
export const clockText = (atMs: number): string => clock.format(atMs);

/** `14:02` today, `19 Nov, 14:02` this year, else `19 Nov 2025, 14:02`; in the time zone of this computer. */
export function shortMomentText(atMs: number, nowMs: number): string {
  const [at, now] = [day.format(atMs), day.format(nowMs)];
  return at === now ? clockText(atMs) : `${dateText(at, Number(now.slice(0, 4)))}, ${clockText(atMs)}`;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** True if the text is a day that exists, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
