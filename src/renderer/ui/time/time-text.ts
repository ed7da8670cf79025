const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exactClock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const calendarDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `14:02`, in the time zone of this computer. */
export const clockText = (atMs: number): string => clock.format(atMs);

/** `14:02:31`, in the time zone of this computer. */
export const exactClockText = (atMs: number): string => exactClock.format(atMs);

/** `Fri, 20 Nov 2026`, in the time zone of this computer. */
export const dayText = (atMs: number): string => day.format(atMs);

/** `20 Nov`, in the time zone of this computer. */
const shortDayText = (atMs: number): string => shortDay.format(atMs);

/** The moment in full, with its zone; for titles. */
export const momentText = (atMs: number): string => moment.format(atMs);

/** `31 Dec` of a calendar date YYYY-MM-DD, which belongs to no time zone. */
export const calendarDayText = (date: string): string => calendarDay.format(Date.parse(`${date}T00:00:00Z`));

/** `14:02` today, else `19 Nov, 14:02`. */
export function shortMomentText(atMs: number, nowMs: number): string {
  const today = dayText(atMs) === dayText(nowMs);
  return today ? clockText(atMs) : `${shortDayText(atMs)}, ${clockText(atMs)}`;
}

/** Time left as `8:41`, or `1:02:03` from an hour on; never below `0:00`. */
export function remainingText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/u, '');
}
