import { toDecimal } from '../../lib/decimal.ts';

/** The most characters that every spreadsheet keeps in a cell. */
export const maxCellCharacters = 32_767;

/** True for the beginning of an exported text that is too long for a spreadsheet. */
export function isCut(exported: string, cell: string): boolean {
  return (
    exported.length > maxCellCharacters &&
    cell !== '' &&
    cell.length < exported.length &&
    exported.startsWith(cell)
  );
}

/** True for a number that is the exported one, rounded to the decimals of its cell. */
export function isRounded(exported: number, cell: { value: number; decimals: number }): boolean {
  const { digits, exponent } = toDecimal(exported);
  const lost = -exponent - cell.decimals;
  if (lost <= 0) return false;
  const unit = 10n ** BigInt(lost);
  const size = digits < 0n ? -digits : digits;
  const rounded = Number((2n * size + unit) / (2n * unit));
  return Math.sign(exported) * rounded === Math.round(cell.value * 10 ** cell.decimals);
}

const lineEnd = /\r\n|\r|\n/u;

/** The text as TSV has it: without line ends, which become spaces. */
export function inOneLine(text: string): string {
  return text.split(lineEnd).join(' ');
}

/** True for a cell of one line that has two lines of the exported text, one behind the other. */
export function isJoined(exported: string, cell: string): boolean {
  if (lineEnd.test(cell)) return false;
  const lines = exported.split(lineEnd);
  return lines.slice(1).some((line, index) => line !== '' && cell.includes(`${lines[index]} ${line}`));
}

const ascii = /^[\0-\x7F]*$/u;
const replacement = '\uFFFD';

/**
 * True for a text whose letters a code page does not have: they became `?`, similar letters, or others. Compared with the exported text,
 * which has letters that the cell lost while its plain ones are the same, or of which the first became a question mark.
 */
export function isLossOfLetters(exported: string, cell: string): boolean {
  if (cell.includes(replacement) && !exported.includes(replacement)) return true;
  if (ascii.test(exported)) return false;
  const special = [...exported].filter((letter) => !ascii.test(letter));
  const left = new Set(cell);
  const isWrongEncoding = /[ÂÃâÐÑ][^\0-\x7F]/u.test(cell) && !/[ÂÃâÐÑ][^\0-\x7F]/u.test(exported);
  if (special.every((letter) => left.has(letter)) && !isWrongEncoding) return false;
  // The text was edited after its letters were lost.
  const isLostFirst = cell.indexOf('?') === exported.search(/[^\0-\x7F]/u);
  if (isLostFirst && exported.startsWith(cell.slice(0, cell.indexOf('?')))) return true;
  const plain = plainLetters(exported);
  return (plain !== '' && plain === plainLetters(cell)) || isByteForByte([...exported], [...cell]);
}

function plainLetters(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/gu, '');
}

/** True if each letter that differs is one of a code page, in the place of one that is not plain. */
function isByteForByte(exported: readonly string[], cell: readonly string[]): boolean {
  return (
    exported.length === cell.length &&
    exported.every((letter, at) => {
      const other = cell[at] ?? '';
      return letter === other || (!ascii.test(letter) && other < letter && other <= '\xFF');
    })
  );
}
