/** What makes a spreadsheet calculate: a sign, also the full-width one, also behind blanks and invisible characters. */
const startsFormula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;

/** The text as a cell that no spreadsheet takes for a formula: an apostrophe goes before what starts one. */
export function inertCell(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}
