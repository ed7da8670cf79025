import { contractFields, entryKeyOf, isListName } from '../campaign/index.ts';
import { targetingLists } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../lib/json/json-value.ts';

export type Member = string | number;

/** Max members in one operation. Longer lists are set completely. */
export const maxMembers = 20_000;

export type MemberKind = 'numbers' | 'texts';

/** The common kind of these members. Null for no members, or for both kinds. */
export function memberKindOf(members: readonly Member[]): MemberKind | null {
  if (members.length === 0) return null;
  if (members.every((item) => typeof item === 'number')) return 'numbers';
  return members.every((item) => typeof item === 'string') ? 'texts' : null;
}

/**
 * Converts a member to the kind of a list: `12` among numbers, `'12'` among texts. A member that cannot be converted
 * stays unchanged.
 */
export function convertToKind(member: Member, kind: MemberKind | null): Member {
  if (kind === 'texts') return String(member);
  return kind === 'numbers' && typeof member === 'string' && /^\d{1,15}$/u.test(member)
    ? Number(member)
    : member;
}

export interface ChangedList {
  value: JsonValue;
  changed: number;
  ineffective: number;
}

/** Members in order, of an array or of a text with separators. Null for any other structure, which cannot be edited. */
export function membersOf(value: JsonValue | undefined): Member[] | null {
  if (typeof value === 'string') return splitText(value).entries;
  if (!Array.isArray(value)) return null;
  const members: Member[] = [];
  for (const item of value) {
    if (typeof item !== 'string' && typeof item !== 'number') return null;
    members.push(item);
  }
  return members;
}

/** A list of exactly these members, in the form of the stored list: a text keeps its separator (contract §2.4). */
export function listOf(members: readonly Member[], stored: JsonValue): JsonValue {
  return typeof stored === 'string' ? members.join(separatorOf([stored])) : [...members];
}

/**
 * Appends missing members. Existing members keep their position and spelling. Null for a structure without members, as
 * in {@link membersOf}.
 */
export function addMembers(
  list: string,
  value: JsonValue,
  members: readonly Member[],
  stored: JsonValue = value,
): ChangedList | null {
  const there = membersOf(value);
  if (there === null) return null;
  const keyOf = entryKeyOf(list);
  const known = new Set(there.map(keyOf));
  const added: Member[] = [];
  for (const item of members) {
    const key = keyOf(item);
    if (known.has(key)) continue;
    known.add(key);
    added.push(item);
  }
  const counts = { changed: added.length, ineffective: members.length - added.length };
  if (typeof value === 'string') return { value: appendEntries(value, added.map(String), stored), ...counts };
  const kind = memberKindOf(there);
  return { value: [...there, ...added.map((item) => convertToKind(item, kind))], ...counts };
}

export function removeMembers(
  list: string,
  value: JsonValue,
  members: readonly Member[],
): ChangedList | null {
  const there = membersOf(value);
  if (there === null) return null;
  const keyOf = entryKeyOf(list);
  const unwanted = new Set(members.map(keyOf));
  const found = new Set(there.map(keyOf).filter((key) => unwanted.has(key)));
  const keep = (item: Member): boolean => !unwanted.has(keyOf(item));
  const counts = {
    changed: there.length - there.filter(keep).length,
    ineffective: unwanted.size - found.size,
  };
  if (counts.changed === 0) return { value, ...counts };
  if (typeof value !== 'string') return { value: there.filter(keep), ...counts };
  const { entries, separator } = splitText(value);
  return { value: entries.filter(keep).join(separator), ...counts };
}

/** False if a text list would split this entry into several. */
export function isSingleEntry(list: JsonValue, entry: string): boolean {
  if (typeof list !== 'string') return true;
  const separator = separatorOf([list]).trim();
  const isOpen = separator === '' && !list.includes('\n');
  return !(
    isOpen ? /[\r\n;,]/u : separator === '' ? /[\r\n]/u : new RegExp(`[\\r\\n${separator}]`, 'u')
  ).test(entry);
}

interface SplitText {
  entries: string[];
  separator: string;
}

function splitText(text: string): SplitText {
  const separator = separatorOf([text]);
  const entries = text.split(/[\r\n]/u.test(separator) ? /\r?\n/u : separator.trim());
  return { entries: entries.map((entry) => entry.trim()).filter((entry) => entry !== ''), separator };
}

function separatorOf(lists: readonly JsonValue[]): string {
  for (const text of lists) {
    if (typeof text !== 'string') continue;
    const found = /\r\n|\n/u.exec(text) ?? /;\s*|,\s*/u.exec(text);
    if (found !== null) return found[0];
  }
  return '\n';
}

function appendEntries(text: string, added: readonly string[], stored: JsonValue): string {
  if (added.length === 0) return text;
  const separator = separatorOf([text, stored]);
  const isOpen = text.trim() === '' || text.endsWith(separator);
  return `${text.trim() === '' ? '' : text}${isOpen ? '' : separator}${added.join(separator)}`;
}

const contractNames: ReadonlySet<string> = new Set(contractFields);
const contractLists: ReadonlySet<string> = new Set([
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
]);

/**
 * True for contract lists, other arrays (traffic filters, §2.4) and texts whose field name names a list. Does not read the
 * entries.
 */
export function mayBeList(field: string, value: JsonValue | undefined): boolean {
  return contractLists.has(field) || mayBeFilter(field, value);
}

function mayBeFilter(field: string, value: JsonValue | undefined): boolean {
  if (contractNames.has(field)) return false;
  return Array.isArray(value) || (typeof value === 'string' && isListName(field));
}

export function listFields(campaign: JsonObject): string[] {
  return fieldsWith(campaign, mayBeList);
}

/** Traffic filters: the lists that the contract does not name (§2.4). Countersign cannot edit other unknown fields. */
export function filterFields(campaign: JsonObject): string[] {
  return fieldsWith(campaign, mayBeFilter);
}

function fieldsWith(campaign: JsonObject, predicate: typeof mayBeList): string[] {
  return Object.entries(campaign).flatMap(([field, value]) =>
    predicate(field, value) && membersOf(value) !== null ? [field] : [],
  );
}
