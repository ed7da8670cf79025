import { readRows, type ReportRows } from '#renderer/stores/reports/index.ts';
import type { ReportRow } from '#shared/app-api/index.ts';

/** How strong a cell is drawn, from 0 to 1, against the largest value of its column and level among the rows that were read. */
export type Heat = (row: ReportRow, column: number) => number | null;

/** Makes the heat of the rows that were read. Excluded rows have none. */
export function heatOf(rows: ReportRows, columns: number): Heat {
  const largest = new Map<number, number[]>();
  for (const row of readRows(rows)) {
    if (row.excluded) continue;
    const level = largest.get(row.path.length) ?? Array.from({ length: columns }, () => 0);
    row.values.forEach((value, at) => {
      level[at] = Math.max(level[at] ?? 0, Math.abs(Number(value ?? 0)));
    });
    largest.set(row.path.length, level);
  }
  return (row, column) => {
    const most = largest.get(row.path.length)?.[column] ?? 0;
    const value = row.values[column] ?? null;
    return value === null || most === 0 ? null : Math.min(1, Math.abs(Number(value)) / most);
  };
}
