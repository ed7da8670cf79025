import { createHash } from 'node:crypto';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Clock } from '../clock.ts';
import { credentialPatterns } from './credential-patterns.ts';
import { textsOf } from './texts.ts';

/** What a value holds that looks like a credential anywhere in it, in words; null where there is none. */
export type CredentialFinder = (value: JsonValue) => string | null;

/** Knows credentials by their shape, and the tokens of these rows by their hash. */
export function createCredentialFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const livingIn = createLivingCredentials(rows, clock);
  return (value) => {
    const text = textsOf(value);
    return shapeIn(text) ?? livingIn(text);
  };
}

/** The first shape of a credential in the text, in words; null when there is none. */
export function shapeIn(text: string): string | null {
  const found = credentialPatterns.find(({ shape, confirm }) =>
    confirm === undefined ? text.search(shape) >= 0 : [...text.matchAll(shape)].some(confirm),
  );
  return found?.name ?? null;
}

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
function createLivingCredentials(
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
