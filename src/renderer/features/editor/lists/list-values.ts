import type { CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import { countries, countryName, entryKeyOf, listKindOf } from '#shared/campaign/index.ts';
import {
  memberKindOf,
  membersOf,
  readerOf,
  trimEntry,
  type Member,
  type ReadEntry,
} from '#shared/drafts/index.ts';
import type { PickerOption } from '#renderer/ui/index.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

import type { Formats } from '#shared/lib/formats.ts';
export interface ListForm {
  list: string;
  read: ReadEntry;
  labelOf: (value: string) => string | undefined;
  spaces: boolean;
  hint: string;
}

export function listForm(field: string, stored: JsonValue, seen: CampaignValues | null): ListForm {
  const { entries } = listKindOf(field);
  const form = { list: field, read: readerOf(field), labelOf: () => undefined, hint: '' };
  if (entries === 'countries')
    return {
      ...form,
      labelOf: countryLabel,
      spaces: false,
      hint: 'Use ISO codes or English names of countries.',
    };
  const numbers = { ...form, spaces: true, hint: 'The entries of this list are numbers.' };
  if (entries === 'ids') return numbers;
  const members = [...(membersOf(stored) ?? []), ...(seen?.lists[field] ?? []).map(({ value }) => value)];
  if (memberKindOf(members) === 'numbers')
    return { ...numbers, read: (entry) => (/^\d{1,15}$/u.test(entry) ? Number(entry) : null) };
  const hasSpaces = entries === 'names' || members.some((member) => /\s/u.test(String(member)));
  return { ...form, spaces: !hasSpaces };
}

/** Null if the text is empty or not understood. */
export function parseMember({ read }: ListForm, typed: string): Member | null {
  const entry = trimEntry(typed);
  return entry === '' ? null : read(entry);
}

export function hasSeveralCells(pasted: string): boolean {
  return /[\r\n\t]/u.test(pasted.trim());
}

function countryLabel(value: string): string | undefined {
  const name = countryName(value);
  return name === null ? undefined : `${name} (${value})`;
}

/** For example `DE AT CH`. */
export function isCodesWithSpaces(text: string): boolean {
  return !/[\n\t;,]/u.test(text.trim()) && /^\s*[A-Za-z]{2}(\s+[A-Za-z]{2})+\s*$/u.test(text);
}

export function optionsOf(
  field: string,
  members: readonly Member[],
  seen: CampaignValues | null,
  formats: Formats,
): PickerOption[] {
  const counts = new Map(
    (seen?.lists[field] ?? []).map(({ value, campaigns }) => [String(value), campaigns]),
  );
  const noteOf = (value: string): string | undefined => {
    const count = counts.get(value);
    return count === undefined ? undefined : formats.counted(count, 'campaign');
  };
  const known = field === 'geo' ? countries().map(({ code }) => code) : [];
  const values = new Set([...known, ...counts.keys(), ...members.map(String)]);
  const options = [...values].map((value) => ({
    value,
    label: field === 'geo' ? (countryLabel(value) ?? value) : value,
    note: noteOf(value),
  }));
  if (field === 'geo') return options;
  return options.toSorted(
    (one, other) =>
      (counts.get(other.value) ?? 0) - (counts.get(one.value) ?? 0) ||
      one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
}

export function unseenMembers(
  field: string,
  { stored, members, seen }: { stored: JsonValue; members: readonly Member[]; seen: CampaignValues | null },
): string[] {
  const known = new Set([
    ...(membersOf(stored) ?? []).map(String),
    ...(seen?.lists[field] ?? []).map(({ value }) => String(value)),
  ]);
  return members.map(String).filter((member) => !known.has(member));
}

const maxNamed = 5;
const maxNamedLength = 60;

/** `a, b, c, d, e and 12 more`. */
export function fewNames(entries: readonly string[], formats: Formats): string {
  const named = entries.slice(0, maxNamed).map((entry) => inertStart(entry, maxNamedLength));
  const others = entries.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${formats.count(others)} more` : ''}`;
}

/**
 * Adds each member once. A stored entry that the draft had removed returns to its position with its spelling. Others
 * are appended.
 */
export function withAdded(
  list: string,
  members: readonly Member[],
  added: readonly Member[],
  stored: readonly Member[],
): Member[] {
  const keyOf = entryKeyOf(list);
  const places = new Map(stored.map((member, place) => [keyOf(member), place]));
  const placeOf = (member: Member): number | undefined => places.get(keyOf(member));
  const there = new Set(members.map(keyOf));
  const missing = withoutDuplicates(list, added).filter((member) => !there.has(keyOf(member)));
  const missingKeys = new Set(missing.map(keyOf));
  const returning = withoutDuplicates(list, stored).filter((member) => missingKeys.has(keyOf(member)));
  const lastStored = members.findLastIndex((member) => placeOf(member) !== undefined);
  const result: Member[] = [];
  let returned = 0;
  function returnThoseBefore(place: number): void {
    for (
      let next = returning[returned];
      next !== undefined && (placeOf(next) ?? 0) < place;
      next = returning[returned]
    ) {
      result.push(next);
      returned += 1;
    }
  }
  if (lastStored < 0) returnThoseBefore(stored.length);
  members.forEach((member, at) => {
    returnThoseBefore(placeOf(member) ?? 0);
    result.push(member);
    if (at === lastStored) returnThoseBefore(stored.length);
  });
  return [...result, ...missing.filter((member) => placeOf(member) === undefined)];
}

export function hasMember(list: string, members: readonly Member[], entry: Member): boolean {
  const keyOf = entryKeyOf(list);
  return members.some((member) => keyOf(member) === keyOf(entry));
}

/** Keeps the first spelling of each member. */
export function withoutDuplicates(list: string, members: readonly Member[]): Member[] {
  const keyOf = entryKeyOf(list);
  const seen = new Set<string>();
  return members.filter((member) => {
    const key = keyOf(member);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function compareLists(
  list: string,
  here: readonly Member[],
  there: readonly Member[],
): { onlyHere: Member[]; onlyThere: Member[]; both: Member[] } {
  const keyOf = entryKeyOf(list);
  const [mine, theirs] = [new Set(here.map(keyOf)), new Set(there.map(keyOf))];
  return {
    onlyHere: here.filter((member) => !theirs.has(keyOf(member))),
    onlyThere: there.filter((member) => !mine.has(keyOf(member))),
    both: here.filter((member) => theirs.has(keyOf(member))),
  };
}
