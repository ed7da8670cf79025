import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuse } from '../refuse.ts';

/** The only response is a code. */
export function checkResponseTypes({ response_types: types }: JsonObject): void {
  if (types === undefined) return;
  if (!Array.isArray(types) || types.length !== 1 || types[0] !== 'code') {
    refuse('oauth_invalid_client_metadata', 'The only response type is `code`.');
  }
}
