import { createHash } from 'node:crypto';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Clock } from './clock.ts';

/** Parameters that carry secrets by their name. `key`, `code` and `sig` are everyday names of trackers and are none. */
const secretNames =
  /^(?:(?:access|refresh|id|auth|api|session|bearer|secret)?[_-]?token|api[_-]?key|api[_-]?secret|client[_-]?secret|secret|password|passwd|pwd|code[_-]verifier)$/i;

/** Placeholders that the service or a tracker fills in: `{click_id}`, `{{token}}`, `${TOKEN}`, `[CLICKID]`, `%TOKEN%`, `__TOKEN__`. */
const macros = /\$?\{{1,4}[\w.:|-]{1,64}\}{1,4}|\[[\w.:-]{1,64}\]|%[A-Za-z]\w{1,63}%|__[A-Za-z]\w{0,62}__/g;

/** Shorter values protect nothing. */
const leastLength = 6;

/** True if `name=value` in an address is a secret written out; a macro in its place is none. */
function isSecretParameter([, name = '', value = '']: RegExpMatchArray): boolean {
  return secretNames.test(name) && value.replace(macros, '').length >= leastLength;
}

/** One shape that credentials have. */
export interface CredentialPattern {
  name: string;
  /** Global. Begins at the start of a run of its own characters, so that no text makes it look at a place twice. */
  shape: RegExp;
  /** Shapes that need a closer check. */
  confirm?(found: RegExpMatchArray): boolean;
}

/**
 * Credentials by their looks. What campaigns are full of must pass: click URLs with macros, trackers' parameters, slugs, hashes,
 * ids. So every shape has a mark that is not typed by accident; a bare random word does not look like a token.
 */
const credentialPatterns: readonly CredentialPattern[] = [
  { name: 'a publisher key', shape: /(?<![A-Za-z0-9])pk_[\w-]{32,}/g },
  { name: 'a JSON Web Token', shape: /(?<![\w-])(e[\w-]{9,})\.[\w-]+\.[\w-]*/g, confirm: isJsonWebToken },
  {
    name: 'an Authorization header',
    shape: /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic)\s/gi,
  },
  { name: 'a bearer token', shape: /\bbearer\s{1,8}(?=[\w.~+/-]{0,64}\d)[\w.~+/-]{16,}/gi },
  { name: 'a private key', shape: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/g },
  { name: 'an AWS key', shape: /(?<![A-Za-z0-9])A(?:KIA|SIA)[0-9A-Z]{16}(?![A-Za-z0-9])/g },
  { name: 'a Google key', shape: /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g },
  { name: 'a GitHub token', shape: /(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g },
  { name: 'a GitLab token', shape: /(?<![A-Za-z0-9])glpat-[\w-]{20,}/g },
  { name: 'a Slack token', shape: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g },
  {
    name: 'a Stripe key',
    shape: /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{20,})/g,
  },
  {
    name: 'an API key of a model',
    shape:
      /(?<![A-Za-z0-9])sk-(?:(?:ant|proj|svcacct|admin|or)-[\w-]{16,}|(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,})/g,
  },
  { name: 'an npm token', shape: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/g },
  { name: 'a SendGrid key', shape: /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/g },
  { name: 'a password in an address', shape: /\bhttps?:\/\/[^\s/?#@:{}[\]]{1,256}:[^\s/?#@{}[\]]{1,256}@/gi },
  {
    name: 'a secret in an address',
    // A value ends where the next parameter may begin, also that of an address inside this one.
    shape: /[?&#;]([\w-]{2,32})=([^?&#;\s"'<>]*)/g,
    confirm: isSecretParameter,
  },
];

/** True if the first part is a JOSE header (RFC 7515 §4): base64url of a JSON object that names an algorithm. */
function isJsonWebToken([, head = '']: RegExpMatchArray): boolean {
  const text = Buffer.from(head, 'base64url').toString();
  return /^\s*\{/.test(text) && /"(?:alg|enc)"\s*:/.test(text);
}

/** Between texts: ends every word and every address. */
const separator = '\n';

/** A file in base64: one word of that length is no credential, and it may be a megabyte. */
const blob = /^[A-Za-z0-9+/]{4096,}={0,2}$/;

const encoded = /%([0-7][0-9a-f])/gi;

/** An address inside of another one is encoded once more. Further levels are not read: each takes as long as the text. */
const maxLevels = 3;

/**
 * Every text in a value, names of members included, as one; where something is percent-encoded, its plain form too, as often as it
 * is. Files in base64 are left out.
 */
export function textsOf(value: JsonValue): string {
  const texts: string[] = [];
  collect(value, texts);
  const forms = [texts.join(separator)];
  for (let level = 0; level < maxLevels; level += 1) {
    const text = forms.at(-1) ?? '';
    const plain = text.replace(encoded, (_found, code: string) => String.fromCodePoint(parseInt(code, 16)));
    if (plain === text) break;
    forms.push(plain);
  }
  return forms.join(separator);
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

/** Names the part of a value that looks like a credential; null if there is none. */
export type CredentialFinder = (value: JsonValue) => string | null;

/** Knows credentials by their shape, and the tokens of these rows by their hash. */
export function createCredentialFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const { livingIn } = createLivingCredentials(rows, clock);
  return (value) => {
    const text = textsOf(value);
    return shapeIn(text) ?? livingIn(text);
  };
}

/** Finds only the tokens of these rows: texts that are never a campaign's own, whoever wrote them. */
export function createTokenFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const { livingIn } = createLivingCredentials(rows, clock);
  return (value) => livingIn(textsOf(value));
}

/** Replaces every living token of these rows in a text, so that the text may be kept for good. */
export function createTokenConcealer(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): (text: string) => string {
  const { lives } = createLivingCredentials(rows, clock);
  return (text) => text.replace(candidates, (word) => (lives(word) ? concealed : word));
}

const concealed = '[token removed]';

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

/** The secrets that the authorization server issues, by the names under which it stores the hashes. */
const models = ['AccessToken', 'RefreshToken', 'AuthorizationCode'];

/** A run of exactly as many characters as an opaque token has. */
const candidates = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Each look-up holds up everybody, and no list of a campaign has so many words of just this length. */
const maxCandidates = 5_000;

/** Knowledge of the access tokens, refresh tokens and codes of this service that still live. */
interface LivingCredentials {
  lives(candidate: string): boolean;
  /** Says what a text has, or null. */
  livingIn(text: string): string | null;
}

/** A token has no mark, and any random word may look like one; so each is looked up by its hash, as the endpoint does. */
function createLivingCredentials(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): LivingCredentials {
  const lives = (candidate: string): boolean => {
    const idHash = createHash('sha256').update(candidate).digest('hex');
    return models.some((model) => {
      const row = rows.find(model, idHash);
      return row !== null && (row.expiresAtMs === null || row.expiresAtMs > clock.nowMs());
    });
  };
  return {
    lives,
    livingIn(text) {
      const words = new Set(text.match(candidates));
      if (words.size > maxCandidates) return 'a list of tokens';
      return [...words].some(lives) ? 'a token of this service' : null;
    },
  };
}
