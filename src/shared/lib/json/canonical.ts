import canonicalize from 'canonicalize';
import type { JsonValue } from './json-value.ts';

/** The canonical JSON text (RFC 8785): sorted keys, shortest numbers. Throws for lone surrogates, NaN and infinities. */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Not a JSON value');
  return text;
}
