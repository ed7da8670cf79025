import type { Answer } from '../ask.ts';
import { drift, expectSuccess } from '../expect.ts';

const dayMs = 86_400_000;

/** How many days the reports are asked for. */
const days = 7;

/** In whatever zone the service counts, the day before yesterday is over, and its numbers stand. */
const daysAgo = 2;

/** The last days that are certainly over, inclusive, YYYY-MM-DD (contract §4.2). */
export function lastDays(nowMs: number): { date_from: string; date_to: string } {
  return { date_from: dayAt(nowMs - (daysAgo + days - 1) * dayMs), date_to: dayAt(nowMs - daysAgo * dayMs) };
}

/** A day before there was any traffic. */
export const longAgo = { date_from: '2001-01-01', date_to: '2001-01-01' };

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** That an export is a CSV file with at least these rows (contract §4.2). Its columns are the service's own choice. */
export function expectCsv(answer: Answer, rows: number): void {
  expectSuccess(answer, 'publisher');
  const text = answer.text.trimStart();
  if (/^[[{<]/.test(text)) drift('a CSV file', text.startsWith('<') ? 'markup' : 'JSON');
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lines < rows) drift(`at least ${rows} lines of CSV`, String(lines));
}
