import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuse } from '../refuse.ts';

const offered = ['authorization_code', 'refresh_token'];

/** The code, and refreshing where the client asks for it (RFC 7591 §2). */
export function checkGrantTypes({ grant_types: types }: JsonObject): string[] {
  if (types === undefined) return ['authorization_code'];
  const isKnown = Array.isArray(types) && types.every((type) => offered.some((known) => known === type));
  if (!isKnown || !types.includes('authorization_code')) {
    refuse('oauth_invalid_client_metadata', `Grant types are: ${offered.join(', ')}.`);
  }
  return offered.filter((type) => types.includes(type));
}
