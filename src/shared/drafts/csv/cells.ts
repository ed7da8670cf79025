import { campaignFields, decodeSchedule, targetingDimensions } from '../../campaign/index.ts';
import { isStatusCode, statusNames } from '../../contract/index.ts';
import { exactText, toDecimal } from '../../lib/decimal.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import type { CsvCell } from '../../lib/csv.ts';
import { type Member, membersOf } from '../lists.ts';

/** Formats a value as a cell: a status by name, exact decimals, lists joined by `|`, hours by day. Null for other values. */
export function cellOf(field: string, value: JsonValue | undefined): CsvCell | null {
  if (value === undefined) return null;
  if (value === null) return { kind: 'text', text: '' };
  if (field === 'status' && isStatusCode(value)) return { kind: 'text', text: statusNames[value] };
  if (typeof value === 'number') return { kind: 'number', text: exactText(toDecimal(value)) };
  if (typeof value === 'string') return { kind: 'text', text: value };
  const week = decodeSchedule(value);
  if (week !== null) return { kind: 'text', text: weekText(week) };
  const members = Array.isArray(value) ? membersOf(value) : null;
  return members === null ? null : { kind: 'text', text: joinMembers(members) };
}

/**
 * A single entry with a digit gets a trailing bar. Otherwise a spreadsheet would turn `00123`, `10.0` or `1-2` into a
 * number or a date and save it in that form.
 */
function joinMembers(members: readonly Member[]): string {
  const text = members.map((item) => escapeMember(String(item))).join('|');
  return members.length === 1 && /\d/u.test(text) ? `${text}|` : text;
}

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

function escapeMember(member: string): string {
  return member.replaceAll(/[\\|]/gu, String.raw`\$&`);
}

/** Kinds of cells, which decide how a cell is read. `none` has no cell. `fixed` is exported but never changed by a file. */
export type CellKind =
  | 'fixed'
  | 'none'
  | 'text'
  | 'lines'
  | 'amount'
  | 'budget'
  | 'whole'
  | 'status'
  | 'date'
  | 'time'
  | 'week'
  | 'countries'
  | 'ids'
  | 'list';

const fieldsByKind: readonly [kind: CellKind, fields: readonly string[]][] = [
  ['fixed', ['cid', 'uid']],
  ['none', ['icon', 'image', 'bidControl']],
  ['text', ['name', 'title', 'description', 'clickurl', 'website', 'shedule_timezone']],
  ['lines', ['keywords_whitelist', 'keywords_blocklist']],
  ['amount', ['payout']],
  ['budget', ['d_revenue', 't_revenue']],
  ['whole', ['type', 'enable_budget', 'enable_time', 'enable_shedule', 'keywords_enabled']],
  ['whole', campaignFields.pacing],
  ['whole', targetingDimensions.map(({ flag }) => flag)],
  ['status', ['status']],
  ['date', ['create', 'expire']],
  ['time', ['create_time', 'expire_time']],
  ['week', ['shedule']],
  ['list', targetingDimensions.map(({ list }) => list)],
  ['countries', ['geo']],
  ['ids', ['exchanges']],
];

const cellKinds: ReadonlyMap<string, CellKind> = new Map(
  fieldsByKind.flatMap(([kind, fields]) => fields.map((field) => [field, kind] as const)),
);

export function fieldsOfKind(...kinds: CellKind[]): string[] {
  return [...cellKinds].flatMap(([field, kind]) => (kinds.includes(kind) ? [field] : []));
}

const numberKinds: readonly CellKind[] = ['amount', 'budget', 'whole', 'status'];
const listKinds: readonly CellKind[] = ['week', 'countries', 'ids', 'list'];

export function cellKindOf(field: string, value: JsonValue): CellKind {
  const known = cellKinds.get(field);
  if (known === 'fixed' || known === 'none') return known;
  if (typeof value === 'number') return known !== undefined && numberKinds.includes(known) ? known : 'amount';
  if (Array.isArray(value)) return known !== undefined && listKinds.includes(known) ? known : 'list';
  return known === undefined || numberKinds.includes(known) || listKinds.includes(known) ? 'text' : known;
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A week as text that spreadsheets do not reformat: `Mon 8-20; Tue 0-6,8-20; Wed off; …`. */
function weekText(week: readonly number[]): string {
  return days.map((day, index) => `${day} ${dayText(week.slice(index * 24, index * 24 + 24))}`).join('; ');
}

/** Parses the text of {@link weekText}. Days that are not named are off. Null for any other text. */
export function readWeek(text: string): number[] | null {
  const week = Array.from({ length: 168 }, () => 0);
  for (const part of text.split(';').map((item) => item.trim())) {
    if (part === '') continue;
    const found = /^([a-z]{3})[a-z]*\s+(off|[\d\s,–-]+)$/iu.exec(part);
    const day = days.findIndex((name) => name.toLowerCase() === found?.[1]?.toLowerCase());
    const ranges = found?.[2]?.toLowerCase() ?? '';
    if (day === -1) return null;
    if (ranges === 'off') continue;
    for (const range of ranges.split(',')) {
      const [, from, to] = /^\s*(\d{1,2})\s*[–-]\s*(\d{1,2})\s*$/u.exec(range) ?? [];
      if (from === undefined || to === undefined || Number(from) >= Number(to) || Number(to) > 24)
        return null;
      week.fill(1, day * 24 + Number(from), day * 24 + Number(to));
    }
  }
  return week;
}

function dayText(hours: readonly number[]): string {
  const ranges: string[] = [];
  for (let hour = 0; hour < hours.length; hour += 1) {
    if (hours[hour] !== 1) continue;
    const from = hour;
    while (hours[hour] === 1) hour += 1;
    ranges.push(`${from}-${hour}`);
  }
  return ranges.length === 0 ? 'off' : ranges.join(',');
}
