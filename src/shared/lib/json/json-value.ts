import { inertText, quoted } from '../inert-text.ts';

/** A JSON value as received (RFC 8259). Unknown members are kept. Never re-serialise it from a typed model. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object from the strict parser, so it has no duplicate keys and no `__proto__`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Parses a text that this app stored, for a check by a schema. Null for invalid JSON, because someone may have edited
 * the text.
 */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object's own member. A plain index could return a member of the prototype, because names are untrusted. */
export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function objectAt(object: JsonObject, name: string): JsonObject {
  const found = own(object, name);
  return isJsonObject(found) ? found : {};
}

/** `a.b`, or `a[“b c”]` with a quoted name if the name could look like a path. */
export function memberPath(path: string, name: string): string {
  const isPlain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) && inertText(name) === name;
  if (!isPlain) return `${path}[${quoted(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Equality of JSON values: `1` and `1.0` are equal. The order of keys does not matter, the order of a list does. */
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
