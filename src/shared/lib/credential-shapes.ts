/**
 * Names of parameters that contain secrets. `key`, `code` and `sig` are excluded, because trackers use them for
 * ordinary values.
 */
const secretNames =
  /^(?:(?:access|refresh|id|auth|api|session|bearer|secret)?[_-]?token|api[_-]?key|api[_-]?secret|client[_-]?secret|secret|password|passwd|pwd|code[_-]verifier)$/i;

/**
 * Placeholders that the service or a tracker replaces: `{click_id}`, `{{token}}`, `${TOKEN}`, `[CLICKID]`, `%TOKEN%`,
 * `__TOKEN__`.
 */
const macros = /\$?\{{1,4}[\w.:|-]{1,64}\}{1,4}|\[[\w.:-]{1,64}\]|%[A-Za-z]\w{1,63}%|__[A-Za-z]\w{0,62}__/g;

/** Shorter values cannot protect anything. */
const leastLength = 6;

function isSecretParameter([, name = '', value = '']: readonly string[]): boolean {
  return secretNames.test(name) && value.replace(macros, '').length >= leastLength;
}

interface CredentialPattern {
  name: string;
  /**
   * A global pattern. It matches only at the start of a run of its characters, so that no text makes it scan a position
   * twice.
   */
  shape: RegExp;
  confirm?(found: readonly string[]): boolean;
}

/**
 * Shapes of credentials. Each needs a mark that nobody types by accident, because click URLs are full of macros, hashes
 * and ids.
 */
const credentialPatterns: readonly CredentialPattern[] = [
  { name: 'a publisher key', shape: /(?<![A-Za-z0-9])pk_[\w-]{32,}/g },
  { name: 'a JSON Web Token', shape: /(?<![\w-])(e[\w-]{9,})\.[\w-]+\.[\w-]*/g, confirm: isJsonWebToken },
  {
    name: 'an Authorization header',
    shape: /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic)\s[^\s"',;]*/gi,
  },
  { name: 'a bearer token', shape: /\bbearer\s{1,8}(?=[\w.~+/-]{0,64}\d)[\w.~+/-]{16,}/gi },
  { name: 'a private key', shape: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?:-----[^-"']{0,16384})?/g },
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
    // A value ends at the next parameter, including one of an address inside this address.
    shape: /[?&#;]([\w-]{2,32})=([^?&#;\s"'<>]*)/g,
    confirm: isSecretParameter,
  },
];

/** True if the first part is a JOSE header (RFC 7515 §4): a JSON object in base64url that names an algorithm. */
function isJsonWebToken([, head = '']: readonly string[]): boolean {
  const text = fromBase64url(head);
  return /^\s*\{/.test(text) && /"(?:alg|enc)"\s*:/.test(text);
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Decodes as Latin-1, because the names in a header need no more. */
function fromBase64url(text: string): string {
  let decoded = '';
  let value = 0;
  let bits = 0;
  for (const letter of text) {
    value = ((value & 0x3f) << 6) | base64url.indexOf(letter);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += String.fromCodePoint((value >> bits) & 0xff);
  }
  return decoded;
}

const encoded = /%([0-7][0-9a-f])/gi;

const encodedWord = /(?<![^\s"'<>])[^\s"'<>%]*%[^\s"'<>]+/g;

/**
 * An address within an address is encoded once more. Deeper levels are not decoded, because each costs as much time as
 * the first.
 */
const maxLevels = 3;

/** Appends the decoded form of each level of percent-encoding to the text, on lines of their own. */
export function withPlainForms(text: string): string {
  const forms = [text];
  for (let level = 0; level < maxLevels; level += 1) {
    const last = forms.at(-1) ?? '';
    const plain = last.replace(encoded, (_found, code: string) => String.fromCodePoint(parseInt(code, 16)));
    if (plain === last) break;
    forms.push(plain);
  }
  return forms.join('\n');
}

export function shapeIn(text: string, patterns = credentialPatterns): string | null {
  const found = patterns.find(({ shape, confirm }) =>
    confirm === undefined ? text.search(shape) >= 0 : [...text.matchAll(shape)].some(confirm),
  );
  return found?.name ?? null;
}

export function concealShapes(text: string, instead: string, patterns = credentialPatterns): string {
  const plain = patterns.reduce(
    (left, { shape, confirm }) =>
      left.replace(shape, (...found: string[]) =>
        confirm === undefined || confirm(found) ? instead : (found[0] ?? ''),
      ),
    text,
  );
  return plain.replace(encodedWord, (word) =>
    shapeIn(withPlainForms(word), patterns) === null ? word : instead,
  );
}

/** Credentials that a service of this contract issues. They never belong in a campaign or a report. */
const issued = credentialPatterns.filter(({ name }) =>
  ['a publisher key', 'a JSON Web Token'].includes(name),
);

export const concealedToken = '[token removed]';

/**
 * Removes tokens and keys that services issue. Other secrets, such as a tracker's in a click URL, belong to the
 * campaign and stay.
 */
export function concealIssued(text: string): string {
  return concealShapes(text, concealedToken, issued);
}
