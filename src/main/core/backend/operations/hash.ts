import { createHash } from 'node:crypto';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

/** SHA-256 over the canonical form (RFC 8785), hex: equal for equal JSON values only. */
export function hashOf(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
