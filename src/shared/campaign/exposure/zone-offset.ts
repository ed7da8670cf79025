import { isTimeZone } from '../service-day.ts';

const msPerDay = 86_400_000;

/** No zone changes its clock twice within so many days. */
const quietDays = 16;

/** Something in minutes at the begin of a UTC day (days since 1970). */
export type MinutesAt = (day: number) => number;

/** Minutes that one zone's clock is ahead of another's. Null when this machine does not know a zone. */
export function minutesAhead(zone: string, other: string): MinutesAt | null {
  if (!isTimeZone(zone) || !isTimeZone(other)) return null;
  const [theirs, ours] = [offsetOf(zone), offsetOf(other)];
  return (day) => theirs(day) - ours(day);
}

/** Minutes that a zone is ahead of UTC. Asking the machine is slow, so a quiet stretch of days is asked for at its ends. */
function offsetOf(zone: string): MinutesAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  const at: MinutesAt = (day) => {
    const minutes = known.get(day) ?? minutesOf(format.format(day * msPerDay));
    known.set(day, minutes);
    return minutes;
  };
  return (day) => {
    const begin = Math.floor(day / quietDays) * quietDays;
    return at(begin) === at(begin + quietDays) ? at(begin) : at(day);
  };
}

/** `11/20/2026, GMT-03:30` is −210. */
function minutesOf(text: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}
