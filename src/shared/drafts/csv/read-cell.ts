import { dayNumber, decodeSchedule, fieldLabel, targetingDimensions } from '../../campaign/index.ts';
import { statusCodes, statusNames } from '../../contract/index.ts';
import { activeCell } from '../../lib/csv.ts';
import { jsonEqual, type JsonValue } from '../../lib/json/json-value.ts';
import { membersOf } from '../lists.ts';
import { cellOf, splitMembers } from './cells.ts';
import { readWeek } from './week-text.ts';

/** The mark of decimals in the numbers of a file; `unknown` where no number of it says so. */
export type DecimalMark = 'point' | 'comma' | 'unknown';

/** A cell against the value that is stored now. */
export type ReadCell =
  { kind: 'same' } | { kind: 'value'; value: JsonValue } | { kind: 'wrong'; message: string };

/** Reads a cell of a field. A cell that is what the export would write now is the same, whatever it looks like. */
export function readCell(field: string, cell: string, stored: JsonValue, mark: DecimalMark): ReadCell {
  const written = cellOf(stored);
  const text = activeCell(cell);
  if (written === null) return text === '' ? same : wrong(field, 'cannot be changed by a file');
  if (written.text === text || written.text === cell) return same;
  const read = valueOf(field, text, stored, mark);
  if (read.kind === 'value' && jsonEqual(read.value, stored)) return same;
  return read;
}

const same: ReadCell = { kind: 'same' };

function valueOf(field: string, text: string, stored: JsonValue, mark: DecimalMark): ReadCell {
  if (typeof stored === 'number') return readNumber(field, text, mark);
  if (Array.isArray(stored)) return readList(field, text, stored);
  if (field === 'create' || field === 'expire') return readDate(field, text);
  if (field.endsWith('_time')) return readTime(field, text);
  return { kind: 'value', value: text };
}

const maxFigures = 15;

function readNumber(field: string, cell: string, mark: DecimalMark): ReadCell {
  const text = cell.replaceAll(/[\s$]/gu, '').replace(/^−/u, '-');
  if (field === 'status') {
    const code = statusCodes.find((one) => statusNames[one].toLowerCase() === text.toLowerCase());
    if (code !== undefined) return { kind: 'value', value: code };
  }
  if (/^\d{1,3},\d{3}$/u.test(text) && mark === 'unknown')
    return wrong(field, `can be read in two ways: ${cell}. Choose the mark of decimals`);
  const plain =
    mark === 'comma'
      ? /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/u.test(text) && text.replaceAll('.', '').replace(',', '.')
      : /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/u.test(text) && text.replaceAll(',', '');
  // A plain decimal is one, whatever the others of the file look like, unless it could be thousands.
  const figures =
    plain === false && mark === 'comma' && /^-?\d+\.\d+$/u.test(text) && !/\.\d{3}$/u.test(text)
      ? text
      : plain;
  if (figures === false || figures.replaceAll(/\D/gu, '').replace(/^0+/u, '').length > maxFigures)
    return wrong(field, `is no number: ${cell}`);
  return { kind: 'value', value: Number(figures) };
}

function readList(field: string, text: string, stored: JsonValue[]): ReadCell {
  if (decodeSchedule(stored) !== null) {
    const week = readWeek(text);
    return week === null
      ? wrong(field, 'is no week like Mon 8-20; Tue 8-20')
      : { kind: 'value', value: week };
  }
  const isNumeric =
    field === 'exchanges' || (stored.length > 0 && stored.every((item) => typeof item === 'number'));
  const members = splitMembers(text);
  if (isNumeric) {
    const wrongOne = members.find((item) => !/^\d{1,15}$/u.test(item));
    if (wrongOne !== undefined) return wrong(field, `has an entry that is no number: ${wrongOne}`);
    return { kind: 'value', value: members.map(Number) };
  }
  // Members that are there keep their writing, a number among texts too.
  const known = new Map((membersOf(stored) ?? []).map((item) => [String(item), item]));
  return { kind: 'value', value: [...new Set(members)].map((item) => known.get(item) ?? item) };
}

/** A spreadsheet writes dates in its own way; one that could be another day is refused. */
function readDate(field: string, text: string): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const [, year, month, day] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u.exec(text) ??
    swapped(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(text)) ??
    [];
  const date = `${year ?? ''}-${(month ?? '').padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  return dayNumber(date) === null
    ? wrong(field, `is no date like 2026-12-31: ${text}`)
    : { kind: 'value', value: date };
}

function swapped(found: RegExpExecArray | null): (string | undefined)[] | null {
  return found === null ? null : [found[0], found[3], found[2], found[1]];
}

function readTime(field: string, text: string): ReadCell {
  if (text === '') return { kind: 'value', value: '' };
  const [, hour, minute] = /^(\d{1,2}):(\d{2})(?::00)?$/u.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return wrong(field, `is no time like 09:30: ${text}`);
  return { kind: 'value', value: `${hour.padStart(2, '0')}:${minute}` };
}

function wrong(field: string, message: string): ReadCell {
  return { kind: 'wrong', message: `${fieldLabel(field)} ${message}.` };
}

/** The flag of a targeting list. */
export function flagOfList(field: string): string | undefined {
  return targetingDimensions.find(({ list }) => list === field)?.flag;
}
