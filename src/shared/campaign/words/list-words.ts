import { canonicalJson } from '../../lib/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../../lib/json/json-value.ts';
import { inertText } from '../../lib/inert-text.ts';

const mostNamed = 12;

/** Any JSON value on one line, inert: text as it is, `none` for null, objects and lists in canonical form. */
export function plainWords(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value === '' ? 'empty' : inertText(value);
  if (isJsonObject(value) && typeof value['url'] === 'string') return inertText(value['url']);
  return inertText(canonicalJson(value));
}

/** The value itself, canonical and inert: where its words would hide a difference. */
export function exactWords(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : inertText(canonicalJson(value));
}

/** The entries of a list by name; long ones name the first and count the rest. */
export function namedEntries(values: readonly JsonValue[]): string {
  const named = values.slice(0, mostNamed).map(plainWords).join(', ');
  const rest = values.length - mostNamed;
  return rest > 0 ? `${named} and ${counted(rest)} more` : named;
}

/** A whole number with thousands separated: `10,000`. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 country`, `3 countries`. */
export function amountOf(count: number, { one, many }: { one: string; many: string }): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}
