import { contractFields, isListName } from '../campaign/index.ts';
import { targetingLists } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../lib/json/json-value.ts';
import { membersOf } from './lists.ts';

const contractNames: ReadonlySet<string> = new Set(contractFields);
const contractLists: ReadonlySet<string> = new Set([
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
]);

/**
 * True for a field that holds a list of entries: a list of the contract, or a traffic filter, which the contract does not name (§2.4).
 * A filter is an array, whatever its name, or a text whose name says that it is a list. Looks at no entry of an array:
 * {@link membersOf} tells whether they are plain.
 */
export function mayBeList(field: string, value: JsonValue | undefined): boolean {
  return contractLists.has(field) || mayBeFilter(field, value);
}

function mayBeFilter(field: string, value: JsonValue | undefined): boolean {
  if (contractNames.has(field)) return false;
  return Array.isArray(value) || (typeof value === 'string' && isListName(field));
}

/** Every list of a campaign, in its order. */
export function listFields(campaign: JsonObject): string[] {
  return fieldsWith(campaign, mayBeList);
}

/** Traffic filters: the lists that the contract does not name (§2.4). Of the rest Countersign does not know how to edit it. */
export function filterFields(campaign: JsonObject): string[] {
  return fieldsWith(campaign, mayBeFilter);
}

function fieldsWith(campaign: JsonObject, isOne: typeof mayBeList): string[] {
  return Object.entries(campaign).flatMap(([field, value]) =>
    isOne(field, value) && membersOf(value) !== null ? [field] : [],
  );
}
