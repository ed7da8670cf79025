import { isSecretParameter } from './secret-parameter.ts';

/** One shape that credentials have. */
export interface CredentialPattern {
  name: string;
  /** Global. Begins at the start of a run of its own characters, so that no text makes it look at a place twice. */
  shape: RegExp;
  /** What only a closer look can tell. */
  confirm?(found: RegExpMatchArray): boolean;
}

/**
 * Credentials by their looks. What campaigns are full of must pass: click URLs with macros, trackers' parameters, slugs, hashes,
 * ids. So every shape has a mark that nobody types by accident; a bare random word is nobody's token by its looks.
 */
export const credentialPatterns: readonly CredentialPattern[] = [
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
    shape: /[?&#;]([\w-]{2,32})=([^&#\s"'<>]*)/g,
    confirm: isSecretParameter,
  },
];

/** Whether the first part is a JOSE header (RFC 7515 §4): base64url of a JSON object that names an algorithm. */
function isJsonWebToken([, head = '']: RegExpMatchArray): boolean {
  const text = Buffer.from(head, 'base64url').toString();
  return /^\s*\{/.test(text) && /"(?:alg|enc)"\s*:/.test(text);
}
