import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/** Equality as JSON values: `1` and `1.0` are equal, key order means nothing, the order of a list does. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
  return isJsonObject(a) && isJsonObject(b) && objectsEqual(a, b);
}

function listsEqual(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, index) => jsonEqual(item, b[index]));
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}
