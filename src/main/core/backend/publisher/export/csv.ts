import { inertCell, quotedCell } from '#shared/lib/csv.ts';
import type { Column } from '../columns/column.ts';

/** The line of the column names (RFC 4180 §2.3). */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ name }) => quotedCell(name)).join(',')}\r\n`;
}

/**
 * One row as a line of CSV (RFC 4180 §2). Text that starts a formula is made inert; numbers stay as they are. Written out
 * here because it is most of the work of an export, and csv-stringify takes about five times as long.
 */
export function csvLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  let line = '';
  let separator = '';
  for (const { kind, text } of columns) {
    const value = text(row);
    line += separator + (kind === 'text' ? quotedCell(inertCell(value)) : value);
    separator = ',';
  }
  return `${line}\r\n`;
}
