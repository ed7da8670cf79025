import canonicalize from 'canonicalize';
import type { JsonValue } from './json-value.ts';

/**
 * The canonical text of a JSON value (RFC 8785): sorted keys, shortest numbers, no space. Equal values have equal texts.
 * Throws for what is no JSON value: lone surrogates, NaN, infinities.
 */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Not a JSON value');
  return text;
}
