import type { Formats } from '../lib/formats.ts';
export const minWaitingMinutes = 10;
export const maxWaitingMinutes = 7 * 24 * 60;
export const usualWaitingMinutes = 24 * 60;

const hour = 60;
const day = 24 * hour;

/** For example `10 minutes`, `24 hours`, `3 days`. */
export function waitingTimeText(minutes: number, formats: Formats): string {
  if (minutes > day && minutes % day === 0) return formats.counted(minutes / day, 'day');
  return minutes % hour === 0 ? formats.counted(minutes / hour, 'hour') : formats.counted(minutes, 'minute');
}
