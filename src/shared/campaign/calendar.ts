const msPerDay = 86_400_000;

/** Days since 1970-01-01 of a real calendar date in the form YYYY-MM-DD; null for any other text. */
export function dayNumber(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  // The parser takes 30 February for a day in March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return null;
  return ms / msPerDay;
}

const lastDayKnown = Date.parse('9999-12-31T00:00:00Z') / msPerDay;

/** The calendar date YYYY-MM-DD of a day since 1970-01-01, up to the last one that {@link dayNumber} reads. */
export function dateOfDay(day: number): string {
  return new Date(Math.min(day, lastDayKnown) * msPerDay).toISOString().slice(0, 10);
}

/** The earliest of calendar dates YYYY-MM-DD; undefined for none. */
export function earliestDate(dates: readonly string[]): string | undefined {
  const [first, ...others] = dates;
  return first === undefined
    ? undefined
    : others.reduce((early, date) => (date < early ? date : early), first);
}

/** Minutes since midnight of a time in the form HH:MM, 00:00 to 23:59; null for any other text. */
export function minuteOfDay(time: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return found === null ? null : Number(found[1]) * 60 + Number(found[2]);
}

/** Monday is 0. The first day of the count, 1970-01-01, was a Thursday. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
