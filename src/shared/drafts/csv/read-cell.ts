import {
  dayNumber,
  decodeSchedule,
  fieldLabel,
  listKindOf,
  minuteOfDay,
  parseCountryCode,
} from '../../campaign/index.ts';
import { statusCodes, statusNames } from '../../contract/index.ts';
import { concealedToken, concealIssued } from '../../lib/credential-shapes.ts';
import { activeCell } from '../../lib/csv.ts';
import { toDecimal } from '../../lib/decimal.ts';
import { jsonEqual, type JsonValue } from '../../lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '../../lib/sentence.ts';
import { entryFaultOf, entryFaultWords } from '../entry-faults.ts';
import { joinThousands } from '../typed-amount.ts';
import { type Member, type MemberKind, memberKindOf, membersOf } from '../lists.ts';
import { type CellKind, cellKindOf, cellOf, splitMembers, readWeek } from './cells.ts';
import { type DateOrder, type DecimalMark, type FileNotation, readDateCell } from './notation.ts';

export interface CellForm extends FileNotation {
  kind: MemberKind | null;
}

/** Damage that looks like an edit: numbers rounded by a cell format, and letters that a code page lacks. */
export type CellDoubt = 'rounded' | 'lost';

export type ReadCell =
  | { kind: 'same' }
  | { kind: 'value'; value: JsonValue }
  | { kind: 'doubt'; doubt: CellDoubt; value: JsonValue; message: Sentence }
  | { kind: 'wrong'; message: Sentence };

/** Reads a cell of a field. A cell that equals the export of the stored value is `same`, even if it looks wrong. */
export function readCell(field: string, cell: string, stored: JsonValue, form: CellForm): ReadCell {
  const exportedCell = cellOf(field, stored);
  const text = activeCell(cell);
  if (exportedCell === null)
    return text === '' ? same : wrongResult(field, sentence`cannot be changed by a file`);
  if ([text, cell].some((one) => isSameText(exportedCell.text, one))) return same;
  if (text.includes(concealedToken))
    return isSameText(concealIssued(exportedCell.text), text)
      ? same
      : wrongResult(field, sentence`has a token that the export left out. Edit it in the app`);
  const kind = cellKindOf(field, stored);
  if (kind === 'none') return wrongResult(field, sentence`cannot be changed by a file`);
  const damage = damageOf(field, text, exportedCell.text);
  if (damage !== null) return damage;
  const read = valueOf({ field, kind, text, stored, form });
  if (read.kind === 'value' && jsonEqual(read.value, stored)) return same;
  if (read.kind === 'value' && isTextual(kind) && hasLostLetters(exportedCell.text, text))
    return doubtResult('lost', read.value, sentence`${ownWords(fieldLabel(field))} ${text} lost letters`);
  return read;
}

const same: ReadCell = { kind: 'same' };

const isTextual = (kind: CellKind): boolean => ['text', 'lines', 'list'].includes(kind);

const anyLineEnd = /\r\n|\r|\n/gu;

/**
 * Ignores line ends and Unicode composition, because spreadsheets change line ends, TSV has none, and some programs decompose
 * letters.
 */
function isSameText(written: string, cell: string): boolean {
  if (written === cell) return true;
  const [one, other] = [written, cell].map((text) => text.normalize('NFC').replaceAll(anyLineEnd, '\n'));
  return one === other || (written.includes('\n') && inOneLine(written) === cell);
}

function damageOf(field: string, text: string, written: string): ReadCell | null {
  if (isTruncated(written.replaceAll(anyLineEnd, '\n'), text.replaceAll(anyLineEnd, '\n')))
    return wrongResult(
      field,
      sentence`lost everything after 32,767 characters, the most that a spreadsheet keeps in a cell. Edit this list in the app`,
    );
  if (hasJoinedLines(written, text))
    return wrongResult(
      field,
      sentence`lost all line ends, which a TSV file cannot contain. Save the file as CSV`,
    );
  if (entryFaultOf(text, 'names')?.fault === 'error')
    return wrongResult(field, sentence`became an error value in a spreadsheet: ${text}`);
  return null;
}

interface CellToRead {
  field: string;
  kind: CellKind;
  text: string;
  stored: JsonValue;
  form: CellForm;
}

function valueOf({ field, kind, text, stored, form }: CellToRead): ReadCell {
  if (typeof stored === 'number') return readNumber({ field, kind, stored }, text, form.decimals);
  if (Array.isArray(stored)) return readList({ field, kind, stored }, text, form.kind);
  if (kind === 'date') return readDate(field, text, form.dates);
  if (kind === 'time') return readTime(field, text);
  const lineEnd = typeof stored === 'string' && stored.includes('\r\n') ? '\r\n' : '\n';
  return { kind: 'value', value: text.replaceAll(anyLineEnd, lineEnd) };
}

const maxDigits = 15;

const statusList = statusCodes
  .map((code) => statusNames[code])
  .join(', ')
  .replace(/, (\w+)$/u, ' and $1');

function readNumber(
  { field, kind, stored }: Pick<CellToRead, 'field' | 'kind'> & { stored: number },
  cell: string,
  mark: DecimalMark,
): ReadCell {
  const text = joinThousands(
    cell
      .replaceAll(/\s*\$\s*/gu, '')
      .trim()
      .replace(/^[−-]\s*/u, '-'),
  );
  if (kind === 'status') {
    const code = statusCodes.find((one) => statusNames[one].toLowerCase() === text.toLowerCase());
    if (code !== undefined) return { kind: 'value', value: code };
    if (!/^\d+$/u.test(text))
      return wrongResult(field, sentence`is none of ${ownWords(statusList)}: ${cell}`);
  }
  if (kind === 'budget' && text.toLowerCase() === 'unlimited') return { kind: 'value', value: 0 };
  if (/^\d{1,3},\d{3}$/u.test(text) && mark === 'unknown')
    return wrongResult(field, sentence`can be read in two ways: ${cell}. Choose the mark of decimals`);
  // Grouped thousands never begin with a zero: `0.045` is a decimal.
  const plain =
    mark === 'comma'
      ? /^-?(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/u.test(text) && text.replaceAll('.', '').replace(',', '.')
      : /^-?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/u.test(text) && text.replaceAll(',', '');
  // A plain decimal point is accepted in a file with decimal commas, unless it could separate thousands.
  const numberText =
    plain === false && mark === 'comma' && /^-?(0\.\d+|\d+\.(?!\d{3}$)\d+)$/u.test(text) ? text : plain;
  if (numberText === false || numberText.replaceAll(/\D/gu, '').replace(/^0+/u, '').length > maxDigits)
    return wrongResult(
      field,
      sentence`${ownWords(text === '' ? 'is empty' : sentence`isn’t a number: ${cell}`)}${ownWords(kind === 'budget' ? '. For no limit, enter 0 or Unlimited' : '')}`,
    );
  const value = Number(numberText);
  if (kind !== 'amount' && kind !== 'budget' && !Number.isInteger(value))
    return wrongResult(field, sentence`isn’t a whole number: ${cell}`);
  if (isRounded(stored, { value, decimals: numberText.split('.')[1]?.length ?? 0 }))
    return doubtResult(
      'rounded',
      value,
      sentence`${ownWords(fieldLabel(field))} ${cell} is the exported ${ownWords(String(stored))} rounded by the format of its cell`,
    );
  return { kind: 'value', value };
}

function readList(
  { field, kind, stored }: Pick<CellToRead, 'field' | 'kind'> & { stored: JsonValue[] },
  text: string,
  fallbackKind: MemberKind | null,
): ReadCell {
  if (kind === 'week' || decodeSchedule(stored) !== null) {
    const week = readWeek(text);
    return week === null
      ? wrongResult(field, sentence`isn’t a week like Mon 8-20; Tue 8-20`)
      : { kind: 'value', value: week };
  }
  const existing = membersOf(stored) ?? [];
  const isNumeric = kind === 'ids' || (memberKindOf(existing) ?? fallbackKind) === 'numbers';
  const members = splitMembers(text).map((item) => (isNumeric ? item.replace(/\.0+$/u, '') : item));
  if (isNumeric) {
    const nonNumeric = members.find((item) => !/^\d{1,15}$/u.test(item));
    if (nonNumeric !== undefined)
      return wrongResult(field, sentence`has an entry that isn’t a number: ${nonNumeric}`);
    return { kind: 'value', value: members.map(Number) };
  }
  // Existing members keep their type, for example a number in a list of texts.
  const known = new Map(existing.map((item) => [String(item), item]));
  const value = new Set<Member>();
  for (const item of members) {
    const fault = known.has(item) ? null : entryFaultOf(item, listKindOf(field).entries);
    if (fault !== null && !fault.isDoubtful)
      return wrongResult(
        field,
        sentence`has an entry that is not taken: ${item}. ${ownWords(entryFaultWords[fault.fault])}`,
      );
    const member = known.get(item) ?? (kind === 'countries' ? parseCountryCode(item) : item);
    if (member === null)
      return wrongResult(
        field,
        sentence`has an entry that isn’t a country: ${item}. Enter a code such as DE, or the English name`,
      );
    value.add(member);
  }
  return { kind: 'value', value: [...value] };
}

/** Spreadsheets reformat dates, so a date with two readings is refused until the person chooses the order. */
function readDate(field: string, text: string, order: DateOrder): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const date = readDateCell(text.trim(), order);
  if (Array.isArray(date))
    return wrongResult(field, sentence`can be read in two ways: ${text}. Choose the order of dates`);
  return date === null || dayNumber(date) === null
    ? wrongResult(field, sentence`isn’t a date like 2026-12-31: ${text}`)
    : { kind: 'value', value: date };
}

/** Accepts `9:30`, `09:30:00` and `9:30 PM`, which spreadsheets write. */
function readTime(field: string, text: string): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const [, hour = '', minute, meridiem] =
    /^(\d{1,2}):(\d{2})(?::00)?(?:\s*([ap])\.?m\.?)?$/iu.exec(text.trim()) ?? [];
  const hours =
    meridiem === undefined ? Number(hour) : to24Hour(Number(hour), meridiem.toLowerCase() === 'p');
  const time = `${String(hours).padStart(2, '0')}:${minute ?? ''}`;
  return minuteOfDay(time) === null
    ? wrongResult(field, sentence`isn’t a time like 09:30: ${text}`)
    : { kind: 'value', value: time };
}

/** `12 AM` is midnight. An hour outside 1 to 12 is invalid. */
function to24Hour(hour: number, isAfternoon: boolean): number {
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

function doubtResult(kind: CellDoubt, value: JsonValue, message: Sentence): ReadCell {
  return { kind: 'doubt', doubt: kind, value, message: sentence`${ownWords(message)}.` };
}

function wrongResult(field: string, message: Sentence): ReadCell {
  return { kind: 'wrong', message: sentence`${ownWords(fieldLabel(field))} ${ownWords(message)}.` };
}

/** Cell length that every spreadsheet supports, in characters. */
export const maxCellCharacters = 32_767;

function isTruncated(exported: string, cell: string): boolean {
  return (
    exported.length > maxCellCharacters &&
    cell !== '' &&
    cell.length < exported.length &&
    exported.startsWith(cell)
  );
}

function isRounded(exported: number, cell: { value: number; decimals: number }): boolean {
  const { digits, exponent } = toDecimal(exported);
  const lostDecimals = -exponent - cell.decimals;
  if (lostDecimals <= 0) return false;
  const unit = 10n ** BigInt(lostDecimals);
  const magnitude = digits < 0n ? -digits : digits;
  // Spreadsheets round a half up, and programs such as pandas to the even digit, which may be the lower one.
  const roundings = [0n, 1n].map((less) => Number((2n * magnitude + unit - less) / (2n * unit)));
  const shown = Math.round(cell.value * 10 ** cell.decimals);
  return roundings.some((rounded) => Math.sign(exported) * rounded === shown);
}

const oneLineEnd = /\r\n|\r|\n/u;

function inOneLine(text: string): string {
  return text.split(oneLineEnd).join(' ');
}

function hasJoinedLines(exported: string, cell: string): boolean {
  if (oneLineEnd.test(cell)) return false;
  const lines = exported.split(oneLineEnd);
  return lines.slice(1).some((line, index) => line !== '' && cell.includes(`${lines[index]} ${line}`));
}

const ascii = /^[\0-\x7F]*$/u;
const replacement = '\uFFFD';

/** True if letters missing from the code page became `?` or other letters, while plain letters did not change. */
function hasLostLetters(exported: string, cell: string): boolean {
  if (cell.includes(replacement) && !exported.includes(replacement)) return true;
  if (ascii.test(exported)) return false;
  const nonAscii = [...exported].filter((letter) => !ascii.test(letter));
  const cellLetters = new Set(cell);
  const isWrongEncoding = /[ÂÃâÐÑ][^\0-\x7F]/u.test(cell) && !/[ÂÃâÐÑ][^\0-\x7F]/u.test(exported);
  if (nonAscii.every((letter) => cellLetters.has(letter)) && !isWrongEncoding) return false;
  // The text was edited after it had lost letters.
  const isLostFirst = cell.indexOf('?') === exported.search(/[^\0-\x7F]/u);
  if (isLostFirst && exported.startsWith(cell.slice(0, cell.indexOf('?')))) return true;
  const plain = plainLetters(exported);
  return (plain !== '' && plain === plainLetters(cell)) || isCodePageSubstitution([...exported], [...cell]);
}

function plainLetters(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/gu, '');
}

/** True if only non-ASCII letters changed, each into a letter of a one-byte code page. */
function isCodePageSubstitution(exported: readonly string[], cell: readonly string[]): boolean {
  return (
    exported.length === cell.length &&
    exported.every((letter, at) => {
      const other = cell[at] ?? '';
      return letter === other || (!ascii.test(letter) && other < letter && other <= '\xFF');
    })
  );
}
