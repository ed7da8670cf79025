import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** Where an authorization server keeps what it hands out, under the hashes of the ids. */
export interface TokenRows {
  find(model: string, idHash: string): { expiresAtMs: number | null } | null;
}

/** What the authorization server hands out, by the names under which it keeps the hashes. */
const models = ['AccessToken', 'RefreshToken', 'AuthorizationCode'];

/** A run of exactly as many characters as an opaque token has. */
const candidates = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Each look-up holds up everybody, and no list of a campaign has so many words of just this length. */
const mostCandidates = 5_000;

/**
 * Tells whether a text has an access token, a refresh token or a code of this service that still lives: what it looks like,
 * or null. Such a token has no mark, and any random word may look like one; so each is looked up by its hash, as at the door.
 */
export function createLivingCredentials(
  rows: TokenRows,
  clock: Pick<Clock, 'nowMs'>,
): (text: string) => string | null {
  const lives = (candidate: string): boolean => {
    const idHash = createHash('sha256').update(candidate).digest('hex');
    return models.some((model) => {
      const row = rows.find(model, idHash);
      return row !== null && (row.expiresAtMs === null || row.expiresAtMs > clock.nowMs());
    });
  };
  return (text) => {
    const words = new Set(text.match(candidates));
    if (words.size > mostCandidates) return 'a list of tokens';
    return [...words].some(lives) ? 'a token of this service' : null;
  };
}
