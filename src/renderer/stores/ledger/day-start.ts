import { serviceDay } from '#shared/campaign/index.ts';

/** No zone is further from UTC than this. */
const furthestMs = 27 * 60 * 60 * 1000;

/**
 * The first moment of a day in a zone, and with it the last moment of the day before: also where clocks change at
 * midnight, or a day is left out.
 */
export function dayStartMs(date: string, zone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  let before = utc - furthestMs;
  let reached = utc + furthestMs;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (serviceDay(middle, zone).date >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** The day after, YYYY-MM-DD. */
export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
