import { serviceDay } from './calendar.ts';

const msPerMinute = 60_000;

/**
 * The moment at which clocks of an IANA zone show this date (YYYY-MM-DD) and time (HH:MM), as a date-time with the zone's
 * offset; the first one where the hour comes twice. Null where the clocks skip it, or the zone is not known.
 */
export function zonedDateTime({
  date,
  time,
  zone,
}: {
  date: string;
  time: string;
  zone: string;
}): { at: string; atMs: number } | null {
  const asUtcMs = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(asUtcMs)) return null;
  const shows = (ms: number): boolean => {
    const found = serviceDay(ms, zone);
    return found.date === date && found.time === time;
  };
  try {
    // The offset a day before and a day after are the only two that can apply: the larger one comes first.
    const offsets = [-1, 1].map((days) => offsetMs(asUtcMs + days * 24 * 60 * msPerMinute, zone));
    const atMs = offsets
      .toSorted((a, b) => b - a)
      .map((offset) => asUtcMs - offset)
      .find(shows);
    if (atMs === undefined) return null;
    return { at: `${date}T${time}:00${offsetText(asUtcMs - atMs)}`, atMs };
  } catch {
    return null;
  }
}

function offsetMs(ms: number, zone: string): number {
  const minute = Math.floor(ms / msPerMinute) * msPerMinute;
  const { date, time } = serviceDay(minute, zone);
  return Date.parse(`${date}T${time}:00Z`) - minute;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / msPerMinute;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
