import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The text under this key; empty for anything else. */
export function textIn(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}
