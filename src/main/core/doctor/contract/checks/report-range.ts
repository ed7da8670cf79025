const dayMs = 86_400_000;

/** How many days the reports are asked for. */
const days = 7;

/** The last whole days, inclusive, YYYY-MM-DD (contract §4.2). */
export function lastDays(nowMs: number): { date_from: string; date_to: string } {
  return { date_from: dayAt(nowMs - days * dayMs), date_to: dayAt(nowMs - dayMs) };
}

/** A day before there was any traffic. */
export const longAgo = { date_from: '2001-01-01', date_to: '2001-01-01' };

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
