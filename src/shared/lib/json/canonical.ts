import canonicalize from 'canonicalize';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/** The canonical JSON text (RFC 8785): sorted keys, shortest numbers. Throws for lone surrogates, NaN and infinities. */
export function canonicalJson(value: JsonValue): string {
  const text =
    fastText(value) ?? (isJsonObject(value) ? fastText(withSortedNames(value)) : null) ?? canonicalize(value);
  if (text === undefined) throw new TypeError('Not a JSON value');
  return text;
}

/** JSON.stringify is several times faster, and writes the canonical text of a value with sorted keys. */
function fastText(value: JsonValue): string | null {
  const text = isSorted(value, maxDepth) ? JSON.stringify(value) : undefined;
  return text === undefined || escapedSurrogate.test(text) ? null : text;
}

function withSortedNames(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const escapedSurrogate = /\\ud[89a-f]/u;

/** Of deeper values only the library makes a text: it does not use the stack. */
const maxDepth = 50;

function isSorted(value: JsonValue, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item: JsonValue) => isSorted(item, depth - 1));
  let before = '';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (name < before || (member !== undefined && !isSorted(member, depth - 1))) return false;
    before = name;
  }
  return true;
}
