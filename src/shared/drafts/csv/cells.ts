import { decodeSchedule } from '../../campaign/index.ts';
import { isStatusCode, statusNames } from '../../contract/index.ts';
import { toDecimal } from '../../lib/decimal.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import type { CsvCell } from '../../lib/csv.ts';
import { type Member, membersOf } from '../lists.ts';
import { weekText } from './week-text.ts';

/**
 * A value as a cell of a file: a status as its word, other numbers as exact decimals, lists joined by `|`, schedules as hours of each day. Null for a structure that has
 * no cell: bid controls, pictures, and what the contract does not know.
 */
export function cellOf(field: string, value: JsonValue | undefined): CsvCell | null {
  if (value === undefined) return null;
  if (value === null) return { kind: 'text', text: '' };
  if (field === 'status' && isStatusCode(value)) return { kind: 'text', text: statusNames[value] };
  if (typeof value === 'number') return { kind: 'number', text: numberText(value) };
  if (typeof value === 'string') return { kind: 'text', text: value };
  const week = decodeSchedule(value);
  if (week !== null) return { kind: 'text', text: weekText(week) };
  const members = Array.isArray(value) ? membersOf(value) : null;
  return members === null ? null : { kind: 'text', text: joined(members) };
}

/** A single entry with a digit ends with a bar: a spreadsheet would make `00123`, `10.0` or `1-2` a number or a date, and write it back so. */
function joined(members: readonly Member[]): string {
  const text = members.map((item) => escaped(String(item))).join('|');
  return members.length === 1 && /\d/u.test(text) ? `${text}|` : text;
}

/** The members of a cell that {@link cellOf} joined. */
export function splitMembers(text: string): string[] {
  const members: string[] = [];
  let member = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\' && index + 1 < text.length) {
      index += 1;
      member += text.charAt(index);
    } else if (character === '|') {
      members.push(member);
      member = '';
    } else member += character;
  }
  return [...members, member].map((item) => item.trim()).filter((item) => item !== '');
}

function escaped(member: string): string {
  return member.replaceAll(/[\\|]/gu, String.raw`\$&`);
}

/** Never in the exponent form, which a spreadsheet rounds. */
function numberText(value: number): string {
  const { digits, exponent } = toDecimal(value);
  if (exponent >= 0) return (digits * 10n ** BigInt(exponent)).toString();
  const sign = digits < 0n ? '-' : '';
  const size = (digits < 0n ? -digits : digits).toString().padStart(1 - exponent, '0');
  return `${sign}${size.slice(0, exponent)}.${size.slice(exponent)}`;
}
