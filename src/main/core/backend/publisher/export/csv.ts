import type { Column } from '../columns/column.ts';
import { inertCell } from './inert-cell.ts';

const needsQuotes = /[",\r\n]/;

/** The line of the column names (RFC 4180 §2.3). */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ name }) => quoted(name)).join(',')}\r\n`;
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
    line += separator + (kind === 'text' ? quoted(inertCell(value)) : value);
    separator = ',';
  }
  return `${line}\r\n`;
}

function quoted(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
