import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';
import { concealedToken, shapeIn, withPlainForms } from '#shared/lib/credential-shapes.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Clock } from './clock.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Separates texts so that no word or address spans two texts. */
const separator = '\n';

/** A file in base64. It is skipped, because a word of that length is not a credential and can be a megabyte. */
const blob = /^[A-Za-z0-9+/]{4096,}={0,2}$/;

/** Joins all texts in a value, including member names. Adds the decoded form of percent-encoded texts; skips files in base64. */
export function textsOf(value: JsonValue): string {
  const texts: string[] = [];
  collect(value, texts);
  return withPlainForms(texts.join(separator));
}

function collect(value: JsonValue, texts: string[]): void {
  if (typeof value === 'string') {
    if (!blob.test(value)) texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      texts.push(name);
      collect(member, texts);
    }
  }
}

export type CredentialFinder = (value: JsonValue) => string | null;

export function createCredentialFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const { livingIn } = createLivingCredentials(rows, clock);
  return (value) => {
    const text = textsOf(value);
    return shapeIn(text) ?? livingIn(text);
  };
}

/** Finds only living tokens of these rows. Such a token is never a campaign's legitimate text, whoever wrote it. */
export function createTokenFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const { livingIn } = createLivingCredentials(rows, clock);
  return (value) => livingIn(textsOf(value));
}

/** Replaces every living token of these rows in a text, so that the text can be stored permanently. */
export function createTokenConcealer(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): (text: string) => string {
  const { lives } = createLivingCredentials(rows, clock);
  return (text) => text.replace(candidates, (word) => (lives(word) ? concealedToken : word));
}

export function concealIn<T extends object>(value: T, conceal: (text: string) => string): T {
  const text = JSON.stringify(value);
  const said = conceal(text);
  return said === text ? value : (JSON.parse(said) as T);
}

/** Refuses a credential in a field (contract §7.3), because agents' texts are stored, shown and exported. Does not repeat it. */
export function credentialInside(field: string, found: string): AppError {
  const message = sentence`It looks like ${ownWords(found)}. Leave it out.`;
  return new AppError('dlp_denied', { fields: [{ field, code: 'credential', message }] });
}

interface TokenRows {
  find(model: string, idHash: string): { expiresAtMs: number | null } | null;
}

const models = ['AccessToken', 'RefreshToken', 'AuthorizationCode'];

const candidates = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Limits the look-ups, because each one blocks all other requests. No campaign has this many words of a token's length. */
const maxCandidates = 5_000;

/** Looks every candidate up by its hash, as the endpoint does: a token has no prefix, and any random word may be one. */
function createLivingCredentials(rows: TokenRows, clock: Pick<Clock, 'nowMs'>) {
  const lives = (candidate: string): boolean => {
    const idHash = createHash('sha256').update(candidate).digest('hex');
    return models.some((model) => {
      const row = rows.find(model, idHash);
      return row !== null && (row.expiresAtMs === null || row.expiresAtMs > clock.nowMs());
    });
  };
  return {
    lives,
    livingIn(text: string): string | null {
      const words = new Set(text.match(candidates));
      if (words.size > maxCandidates) return 'a list of tokens';
      return [...words].some(lives) ? 'a token of this service' : null;
    },
  };
}

/** Compares two secrets, for example tokens or fingerprints, in constant time: the duration reveals neither texts nor lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
