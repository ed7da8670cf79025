import { expect, test } from 'vitest';
import { printReport, type PrintedReport } from '#headless/cli/print-report.ts';
import type { Console } from '#headless/cli/console.ts';

const range = { from: '2026-11-01', to: '2026-11-30' };

function printed(parts: object): string[] {
  const report = {
    columns: [],
    rows: [],
    range,
    counted: range,
    compared: null,
    incompleteDay: null,
    zone: 'UTC',
    totals: [],
    comparedTotals: null,
    readAtMs: null,
    ...parts,
  } as unknown as PrintedReport['report'];
  const lines: string[] = [];
  const plain = (text: string): string => text;
  const console = {
    out: (text = '') => void lines.push(text),
    style: { strong: plain, quiet: plain },
  } as unknown as Console;
  const source = { kind: 'xml', tid: 7301 } as const;
  printReport({ report, service: 'Demo', source, levels: ['subid'] }, 'table', console);
  return lines;
}

test('a report of any length is printed as a table', () => {
  const count = 150_000;
  const lines = printed({
    rows: Array.from({ length: count }, (_, at) => ({
      path: [`sub-${at}`],
      values: [],
      compared: null,
      unlike: [],
    })),
  });
  expect(lines.filter((line) => line.startsWith('sub-'))).toHaveLength(count);
  expect(lines.at(-1)).toBe('Total');
});

test('rates differ by percentage points, and an outlier gives its reason after its figures', () => {
  const lines = printed({
    columns: [{ id: 'valid_rate', kind: 'share', label: null }],
    compared: range,
    rows: [
      {
        path: ['bots'],
        values: ['0.3908'],
        compared: ['0.0595'],
        unlike: [{ column: 'valid_rate', is: 'low', typical: '0.9607' }],
      },
      { path: ['top'], values: ['0.9612'], compared: ['0.9607'], unlike: [] },
    ],
    totals: ['0.6111'],
    comparedTotals: ['0.5736'],
  });
  expect(lines.slice(-3)).toEqual([
    'bots    39.08% (+33.13 pp)  ⚑ Low valid rate: 39.08%, typically 96.07%',
    'top      96.12% (+0.05 pp)',
    'Total    61.11% (+3.75 pp)',
  ]);
});
