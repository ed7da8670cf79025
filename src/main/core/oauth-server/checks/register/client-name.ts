import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuse } from '../refuse.ts';

const longestName = 200;

/** What people will see of the client: foreign text, only bounded here. */
export function checkClientName({ client_name: name }: JsonObject): string | null {
  if (name === undefined) return null;
  if (typeof name !== 'string' || name === '' || name.length > longestName) {
    refuse('oauth_invalid_client_metadata', '`client_name` must be a text of at most 200 characters.');
  }
  return name;
}
