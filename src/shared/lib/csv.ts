import { concealIssued } from './credential-shapes.ts';

export interface CsvCell {
  kind: 'text' | 'number';
  text: string;
}

/** A formula's first character: a sign, also the full-width one, also behind blanks and invisible characters. */
const startsFormula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;
const isNumber = /^-?\d+(?:\.\d+)?$/;
const needsQuotes = /[",\r\n]/;
const breaksTabs = /[\t\r\n\u0085\u2028\u2029]+/g;

/** The text as a cell that no spreadsheet takes for a formula: an apostrophe goes before one. */
export function inertCell(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

export function activeCell(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A value in quotation marks where a separator, a line's end or a quotation mark needs them (RFC 4180 §2.5 to 2.7). */
export function quotedCell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180 §2). Texts are made inert; numbers, negative ones too, keep their digits. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quotedCell(safeText(cell))).join(',')}\r\n`;
}

/** A line for the clipboard: tabs and line ends become spaces, and a leading quotation mark is quoted. */
export function tsvLine(cells: readonly CsvCell[]): string {
  const inOneLine = cells.map(({ kind, text }) => safeText({ kind, text: text.replace(breaksTabs, ' ') }));
  return `${inOneLine.map((text) => (text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text)).join('\t')}\r\n`;
}

/** Only a plain decimal is a number: nothing else gets by as one. A file is passed on, so no text of it has a token. */
function safeText({ kind, text }: CsvCell): string {
  return kind === 'number' && isNumber.test(text) ? text : inertCell(concealIssued(text));
}
