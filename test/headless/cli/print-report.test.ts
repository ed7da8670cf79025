import { expect, test } from 'vitest';
import { printReport, type PrintedReport } from '#headless/cli/print-report.ts';
import type { Console } from '#headless/cli/console.ts';

test('a report of any length is a table', () => {
  const count = 150_000;
  const range = { from: '2026-11-01', to: '2026-11-30' };
  const report = {
    columns: [],
    rows: Array.from({ length: count }, (_, at) => ({ path: [`sub-${at}`], values: [], compared: null })),
    range,
    counted: range,
    compared: null,
    incompleteDay: null,
    zone: 'UTC',
    totals: [],
    comparedTotals: null,
    readAtMs: null,
  } as unknown as PrintedReport['report'];
  const lines: string[] = [];
  const plain = (text: string): string => text;
  const console = {
    out: (text = '') => void lines.push(text),
    style: { strong: plain, quiet: plain },
  } as unknown as Console;
  const printed = { report, service: 'Demo', source: { kind: 'xml', tid: 7301 } as const, levels: ['subid'] };
  printReport(printed, 'table', console);
  expect(lines.filter((line) => line.startsWith('sub-'))).toHaveLength(count);
  expect(lines.at(-1)).toBe('Total');
});
