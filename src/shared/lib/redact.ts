import { concealShapes } from './credential-shapes.ts';

const mask = '[redacted]';

/** Names of members whose value is never logged. Case, dashes and underscores are ignored. */
const secretNames =
  /^(authorization|proxyauthorization|cookie|setcookie|token|.*token|secret|.*secret|password|passwd|pwd|nonce|ticket|datakey|apikey|credential|credentials|codeverifier)$/;

const secretName = String.raw`[\w-]{0,32}(?:token|ticket|secret|password|passwd|pwd|api[_-]?key|code[_-]verifier|nonce)`;

/**
 * Text that is never logged: bearer credentials, JWTs, `token=`-like parameters and members, and Windows account
 * identifiers (SIDs).
 */
const secretTexts: readonly [RegExp, string][] = [
  [/\b(bearer)\s+[\w.~+/=-]+/gi, `$1 ${mask}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, mask],
  [new RegExp(`(?<![\\w-])(${secretName})=[^&\\s"']+`, 'gi'), `$1=${mask}`],
  [new RegExp(`(["'])(${secretName})\\1\\s{0,4}:\\s{0,4}(["'])[^"']+\\3`, 'gi'), `$1$2$1:$3${mask}$3`],
  [/\bS-1-(?:5-21|12-1)-[\d-]+/g, mask],
];

const depthLimit = 8;

/**
 * Returns a copy that is safe to log: secrets are masked at any depth, errors are reduced to type, code, message and
 * causes.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthLimit) return '[deeper]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const members = value instanceof Error ? errorMembers(value) : Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [
      redactText(name),
      isSecretName(name) ? mask : redact(member, depth + 1),
    ]),
  );
}

export function redactText(text: string): string {
  const known = secretTexts.reduce(
    (masked, [pattern, replacement]) => masked.replace(pattern, replacement),
    text,
  );
  return concealShapes(known, mask);
}

function isSecretName(name: string): boolean {
  return secretNames.test(name.toLowerCase().replace(/[-_]/g, ''));
}

function errorMembers(error: Error): [string, unknown][] {
  const { name, message, stack, cause } = error;
  const own = Object.entries(error).filter(([member]) => member !== 'cause');
  return [
    ['name', name],
    ['message', message],
    ...own,
    ['stack', stack],
    ...(cause === undefined ? [] : [['cause', cause] as [string, unknown]]),
  ];
}

/** Redacts a stored log line again, because older rules may have been weaker when it was written. */
export function redactLine(line: string): string {
  try {
    return redactText(JSON.stringify(redact(JSON.parse(line))));
  } catch {
    return redactText(line);
  }
}
