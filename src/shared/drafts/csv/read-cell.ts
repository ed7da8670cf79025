import {
  dayNumber,
  decodeSchedule,
  fieldLabel,
  minuteOfDay,
  readCountry,
  targetingDimensions,
} from '../../campaign/index.ts';
import { statusCodes, statusNames } from '../../contract/index.ts';
import { activeCell } from '../../lib/csv.ts';
import { jsonEqual, type JsonValue } from '../../lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '../../lib/sentence.ts';
import { isBudget } from '../amounts.ts';
import { joinThousands } from '../typed-amount.ts';
import { type Member, type MemberKind, memberKindOf, membersOf } from '../lists.ts';
import { cellOf, splitMembers } from './cells.ts';
import { dateFields, type DateOrder, type DecimalMark, type FileNotation, readDateCell } from './notation.ts';
import { readWeek } from './week-text.ts';

/** How cells of a field are read: the notation of the file, and the kind of members where a list that is empty does not tell. */
export interface CellForm extends FileNotation {
  kind: MemberKind | null;
}

/** A cell against the value that is stored now. */
export type ReadCell =
  { kind: 'same' } | { kind: 'value'; value: JsonValue } | { kind: 'wrong'; message: Sentence };

/** Reads a cell of a field. A cell that is what the export would write now is the same, whatever it looks like. */
export function readCell(field: string, cell: string, stored: JsonValue, form: CellForm): ReadCell {
  const written = cellOf(stored);
  const text = activeCell(cell);
  if (written === null) return text === '' ? same : wrong(field, sentence`cannot be changed by a file`);
  if (isSameText(written.text, text) || isSameText(written.text, cell)) return same;
  const read = valueOf(field, text, stored, form);
  if (read.kind === 'value' && jsonEqual(read.value, stored)) return same;
  return read;
}

const same: ReadCell = { kind: 'same' };

const anyLineEnd = /\r\n|\r|\n/gu;

/** Spreadsheets write the line ends inside a cell in their own way. */
function isSameText(one: string, other: string): boolean {
  return one === other || one.replaceAll(anyLineEnd, '\n') === other.replaceAll(anyLineEnd, '\n');
}

function valueOf(field: string, text: string, stored: JsonValue, form: CellForm): ReadCell {
  if (typeof stored === 'number') return readNumber(field, text, form.decimals);
  if (Array.isArray(stored)) return readList(field, text, stored, form.kind);
  if (dateFields.includes(field)) return readDate(field, text, form.dates);
  if (field.endsWith('_time')) return readTime(field, text);
  const lineEnd = typeof stored === 'string' && stored.includes('\r\n') ? '\r\n' : '\n';
  return { kind: 'value', value: text.replaceAll(anyLineEnd, lineEnd) };
}

const maxFigures = 15;

function readNumber(field: string, cell: string, mark: DecimalMark): ReadCell {
  const text = joinThousands(
    cell
      .replaceAll(/\s*\$\s*/gu, '')
      .trim()
      .replace(/^[−-]\s*/u, '-'),
  );
  if (field === 'status') {
    const code = statusCodes.find((one) => statusNames[one].toLowerCase() === text.toLowerCase());
    if (code !== undefined) return { kind: 'value', value: code };
  }
  if (isBudget(field) && text.toLowerCase() === 'unlimited') return { kind: 'value', value: 0 };
  if (/^\d{1,3},\d{3}$/u.test(text) && mark === 'unknown')
    return wrong(field, sentence`can be read in two ways: ${cell}. Choose the mark of decimals`);
  // Thousands never begin with a zero: `0.045` is a decimal.
  const plain =
    mark === 'comma'
      ? /^-?(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/u.test(text) && text.replaceAll('.', '').replace(',', '.')
      : /^-?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/u.test(text) && text.replaceAll(',', '');
  // A plain decimal is one, whatever the others of the file look like, unless it could be thousands.
  const figures =
    plain === false && mark === 'comma' && /^-?(0\.\d+|\d+\.(?!\d{3}$)\d+)$/u.test(text) ? text : plain;
  if (figures === false || figures.replaceAll(/\D/gu, '').replace(/^0+/u, '').length > maxFigures)
    return wrong(
      field,
      sentence`${ownWords(text === '' ? 'is empty' : sentence`is no number: ${cell}`)}${ownWords(isBudget(field) ? '. For no limit, enter 0 or Unlimited' : '')}`,
    );
  return { kind: 'value', value: Number(figures) };
}

function readList(field: string, text: string, stored: JsonValue[], kind: MemberKind | null): ReadCell {
  if (decodeSchedule(stored) !== null) {
    const week = readWeek(text);
    return week === null
      ? wrong(field, sentence`is no week like Mon 8-20; Tue 8-20`)
      : { kind: 'value', value: week };
  }
  const there = membersOf(stored) ?? [];
  const isNumeric = field === 'exchanges' || (memberKindOf(there) ?? kind) === 'numbers';
  const members = splitMembers(text);
  if (isNumeric) {
    const wrongOne = members.find((item) => !/^\d{1,15}$/u.test(item));
    if (wrongOne !== undefined) return wrong(field, sentence`has an entry that is no number: ${wrongOne}`);
    return { kind: 'value', value: members.map(Number) };
  }
  // Members that are there keep their writing, a number among texts too.
  const known = new Map(there.map((item) => [String(item), item]));
  const value = new Set<Member>();
  for (const item of members) {
    const member = known.get(item) ?? (field === 'geo' ? readCountry(item) : item);
    if (member === null)
      return wrong(
        field,
        sentence`has an entry that is no country: ${item}. Enter a code such as DE, or the English name`,
      );
    value.add(member);
  }
  return { kind: 'value', value: [...value] };
}

/** A spreadsheet writes dates in its own way; one that could be another day is asked about. */
function readDate(field: string, text: string, order: DateOrder): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const date = readDateCell(text.trim(), order);
  if (Array.isArray(date))
    return wrong(field, sentence`can be read in two ways: ${text}. Choose the order of dates`);
  return date === null || dayNumber(date) === null
    ? wrong(field, sentence`is no date like 2026-12-31: ${text}`)
    : { kind: 'value', value: date };
}

/** `9:30`, `09:30:00` and `9:30 PM`, as spreadsheets write a time. */
function readTime(field: string, text: string): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const [, hour = '', minute, half] =
    /^(\d{1,2}):(\d{2})(?::00)?(?:\s*([ap])\.?m\.?)?$/iu.exec(text.trim()) ?? [];
  const hours = half === undefined ? Number(hour) : inDay(Number(hour), half.toLowerCase() === 'p');
  const time = `${String(hours).padStart(2, '0')}:${minute ?? ''}`;
  return minuteOfDay(time) === null
    ? wrong(field, sentence`is no time like 09:30: ${text}`)
    : { kind: 'value', value: time };
}

/** 12 AM is midnight. Any hour outside of 1 to 12 is none. */
function inDay(hour: number, isAfternoon: boolean): number {
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

function wrong(field: string, message: Sentence): ReadCell {
  return { kind: 'wrong', message: sentence`${ownWords(fieldLabel(field))} ${ownWords(message)}.` };
}

/** The flag of a targeting list. */
export function flagOfList(field: string): string | undefined {
  return targetingDimensions.find(({ list }) => list === field)?.flag;
}
