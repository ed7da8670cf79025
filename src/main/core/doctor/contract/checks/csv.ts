import type { Answer } from '../ask.ts';
import { drift, expectSuccess } from '../expect.ts';

/** That an export is a CSV file with at least these rows (contract §4.2). Its columns are the service's own choice. */
export function expectCsv(answer: Answer, rows: number): void {
  expectSuccess(answer, 'publisher');
  const text = answer.text.trimStart();
  if (/^[[{<]/.test(text)) drift('a CSV file', text.startsWith('<') ? 'markup' : 'JSON');
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lines < rows) drift(`at least ${rows} lines of CSV`, String(lines));
}
