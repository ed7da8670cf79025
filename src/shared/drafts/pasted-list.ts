import { splitMembers } from './csv/cells.ts';
import { type Member, membersOf } from './lists.ts';
import type { JsonValue } from '../lib/json/json-value.ts';

/** Reads one pasted entry as a member of the list: null where it is not understood. */
export type ReadEntry = (entry: string) => Member | null;

/** Effect of a pasted text on a list. */
export interface PastedList {
  /** New members, in the order of the text, each once. */
  added: Member[];
  alreadyThere: Member[];
  /** Number of entries that the text has more than once, beyond the first. */
  repeated: number;
  /** Entries that are no member of such a list, as they were pasted. */
  notUnderstood: string[];
}

const maxEntryLength = 2_000;

/**
 * Reads a pasted text in any separator: lines, tabs, semicolons, commas, the `|` of an exported cell or, for lists whose entries have
 * none, spaces. Quotation marks around an entry are taken off.
 */
export function readPastedList(
  text: string,
  there: JsonValue,
  { read, spaces }: { read: ReadEntry; spaces: boolean },
): PastedList {
  const known = new Set((membersOf(there) ?? []).map(sameKey));
  const result: PastedList = { added: [], alreadyThere: [], repeated: 0, notUnderstood: [] };
  const seen = new Set<string>();
  for (const entry of splitPasted(text, spaces)) {
    const member = entry.length > maxEntryLength ? null : read(entry);
    if (member === null) {
      result.notUnderstood.push(entry);
      continue;
    }
    const key = sameKey(member);
    if (seen.has(key)) {
      result.repeated += 1;
      continue;
    }
    seen.add(key);
    (known.has(key) ? result.alreadyThere : result.added).push(member);
  }
  return result;
}

function sameKey(member: Member): string {
  return String(member).trim().toLowerCase();
}

function splitPasted(text: string, spaces: boolean): string[] {
  return text
    .split(spaces ? /[\s;,]+/u : /[\r\n\t\v\f\u0085\u2028\u2029;,]+/u)
    .flatMap((entry) => (entry.includes('|') ? splitMembers(entry) : [entry]))
    .map((entry) =>
      entry
        .trim()
        .replaceAll(/^["'“„]+|["'”“]+$/gu, '')
        .trim(),
    )
    .filter((entry) => entry !== '');
}

/** Reads an entry of a list whose members are plain texts. */
export const readText: ReadEntry = (entry) => entry;

/** Reads an exchange: a positive whole number (contract §2.4). */
export const readId: ReadEntry = (entry) => {
  const id = /^\d{1,15}$/u.test(entry) ? Number(entry) : 0;
  return id > 0 ? id : null;
};
