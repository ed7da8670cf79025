import { canonicalJson } from '../lib/json/canonical.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../lib/json/json-value.ts';
import { dimensionOfFlag } from './targeting.ts';
import type { FieldChange } from './types.ts';

/**
 * Every field that differs between two campaigns, as JSON values: in the order of `before`, then what is new. Empty
 * exactly when the campaigns are equal. A changed targeting flag carries the lists beside it, for the words.
 */
export function diffCampaigns(before: JsonObject, after: JsonObject): FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: FieldChange[] = [];
  for (const field of fields) {
    const old = own(before, field);
    const now = own(after, field);
    if (!jsonEqual(old, now)) changes.push(changeOf(field, { old, now, before, after }));
  }
  return changes;
}

interface Sides {
  old: JsonValue | undefined;
  now: JsonValue | undefined;
  before: JsonObject;
  after: JsonObject;
}

function changeOf(field: string, { old, now, before, after }: Sides): FieldChange {
  const change: FieldChange = { field, before: old, after: now, members: membersOf(old, now) };
  const dimension = dimensionOfFlag(field);
  if (dimension === undefined) return change;
  return { ...change, selection: { before: own(before, dimension.list), after: own(after, dimension.list) } };
}

/** How often an entry of the old list is still without a partner in the new one. */
interface Unmatched {
  times: number;
}

function membersOf(old: JsonValue | undefined, now: JsonValue | undefined): FieldChange['members'] {
  if (!Array.isArray(old) || !Array.isArray(now)) return null;
  const byKey = new Map<JsonValue, Unmatched>();
  const entries = old.map((item) => countIn(byKey, keyOf(item)));
  const added = now.filter((item) => !takesOne(byKey.get(keyOf(item))));
  const removed = old.filter((_item, index) => takesOne(entries[index]));
  return { added, removed };
}

function countIn(byKey: Map<JsonValue, Unmatched>, key: JsonValue): Unmatched {
  const entry = byKey.get(key) ?? { times: 0 };
  if (entry.times === 0) byKey.set(key, entry);
  entry.times += 1;
  return entry;
}

function takesOne(entry: Unmatched | undefined): boolean {
  if (entry === undefined || entry.times === 0) return false;
  entry.times -= 1;
  return true;
}

/** Scalars stand for themselves; lists and objects by their canonical form behind a mark that no well-formed text has. */
function keyOf(item: JsonValue): JsonValue {
  return typeof item === 'object' && item !== null ? `\uD800${canonicalJson(item)}` : item;
}
