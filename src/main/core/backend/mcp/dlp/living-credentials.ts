import { createHash } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { BackendStore } from '#core/store/backend/index.ts';

/** What the authorization server hands out, by the names under which it keeps the hashes. */
const models = ['AccessToken', 'RefreshToken', 'AuthorizationCode'];

/** A run of exactly as many characters as an opaque token has. */
const candidates = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/**
 * Tells whether a text has an access token, a refresh token or a code of this service that still lives. Such a token has no
 * mark, and any random word may look like one; so each is looked up by its hash, as at the door.
 */
export function createLivingCredentials(
  { oauth }: Pick<BackendStore, 'oauth'>,
  clock: Clock,
): (text: string) => boolean {
  const lives = (candidate: string): boolean => {
    const idHash = createHash('sha256').update(candidate).digest('hex');
    return models.some((model) => {
      const row = oauth.find(model, idHash);
      return row !== null && (row.expiresAtMs === null || row.expiresAtMs > clock.nowMs());
    });
  };
  return (text) => [...new Set(text.match(candidates) ?? [])].some(lives);
}
