export { clockText, shortMomentText } from '#shared/lib/date-text.ts';

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
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `14:02:31`, in the time zone of this computer. */
export const exactClockText = (atMs: number): string => exactClock.format(atMs);

/** `Fri, 20 Nov 2026`, in the time zone of this computer. */
export const dayText = (atMs: number): string => day.format(atMs);

/** The moment in full, with its zone; for titles. */
export const momentText = (atMs: number): string => moment.format(atMs);

/** Time left as `8:41`, or `1:02:03` from an hour on; never below `0:00`. */
export function remainingText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/u, '');
}
