import type { JsonValue } from '../lib/json/json-value.ts';

export const hoursPerDay = 24;
export const hoursPerWeek = 168;

/**
 * The weekly schedule as 168 values of 0 or 1, index = day × 24 + hour, Monday first (docs/architecture.md). Null for
 * any other shape: such a schedule is shown read-only and kept.
 */
export function decodeSchedule(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value) || value.length !== hoursPerWeek) return null;
  const week: number[] = [];
  for (const hour of value) {
    if (hour !== 0 && hour !== 1) return null;
    week.push(hour);
  }
  return week;
}

/** How many of the 168 hours are on. */
export function hoursOn(week: readonly number[]): number {
  return week.reduce((sum, hour) => sum + hour, 0);
}
