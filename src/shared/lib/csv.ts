import { concealIssued } from './credential-shapes.ts';

export interface CsvCell {
  kind: 'text' | 'number';
  text: string;
}

/** The first character of a formula: a sign, including full-width signs and signs after blanks or invisible characters. */
const startsFormula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;
const isNumber = /^-?\d+(?:\.\d+)?$/;
const needsQuotes = /[",\r\n]/;
const breaksTabs = /[\t\r\n\u0085\u2028\u2029]+/g;

/** Prevents spreadsheets from running a text as a formula: puts an apostrophe before it. */
export function inertCell(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

export function activeCell(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Quotes a value if it contains a separator, a line end or a quotation mark (RFC 4180 §2.5 to 2.7). */
export function quotedCell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180 §2). Texts are made inert. Numbers, including negative ones, keep their digits. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quotedCell(safeText(cell))).join(',')}\r\n`;
}

/** A line for the clipboard. Tabs and line ends become spaces, and a leading quotation mark is quoted. */
export function tsvLine(cells: readonly CsvCell[]): string {
  const inOneLine = cells.map(({ kind, text }) => safeText({ kind, text: text.replace(breaksTabs, ' ') }));
  return `${inOneLine.map((text) => (text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text)).join('\t')}\r\n`;
}

/** Only a plain decimal passes as a number, so no formula can pose as one. Tokens are removed, because people pass files on. */
function safeText({ kind, text }: CsvCell): string {
  return kind === 'number' && isNumber.test(text) ? text : inertCell(concealIssued(text));
}
