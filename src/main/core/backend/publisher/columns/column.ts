import type { JsonObject } from '#shared/lib/json/json-value.ts';

/**
 * One column of a report, for JSON and CSV alike. A `number` is a JSON number with these very digits; a `number-text` is
 * the contract's decimal string (§2.6); a `text` may be anything.
 */
export interface Column<Row> {
  name: string;
  kind: 'text' | 'number' | 'number-text';
  text(row: Row): string;
}

/** A row as JSON text; its numbers have the digits of the columns, whatever a double could hold. */
export function rowText<Row>(columns: readonly Column<Row>[], row: Row): string {
  let text = '{';
  for (const { name, kind, text: textOf } of columns) {
    const value = textOf(row);
    text += `${text === '{' ? '' : ','}"${name}":${kind === 'number' ? value : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** A row as a JSON value. Money is exact up to 4.5 billion; beyond that a double has no room for six decimals. */
export function rowJson<Row>(columns: readonly Column<Row>[], row: Row): JsonObject {
  return JSON.parse(rowText(columns, row)) as JsonObject;
}
