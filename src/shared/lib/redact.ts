/** Stands in a log in place of a secret. */
const mask = '[redacted]';

/** Names of members whose value is never written, compared without case, dashes and underscores. */
const secretNames =
  /^(authorization|proxyauthorization|cookie|setcookie|token|.*token|secret|.*secret|password|nonce|ticket|datakey|apikey|credential|credentials|codeverifier)$/;

/** Text that is never written: bearer credentials, JWTs, `token=`-like parameters, and the numbers of accounts on Windows. */
const secretTexts: readonly [RegExp, string][] = [
  [/\b(bearer)\s+[\w.~+/=-]+/gi, `$1 ${mask}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, mask],
  [
    /\b(token|access_token|refresh_token|ticket|secret|password|api_key|code_verifier|nonce)=[^&\s"']+/gi,
    `$1=${mask}`,
  ],
  [/\bS-1-(?:5-21|12-1)-[\d-]+/g, mask],
];

/** Deeper values are left out of the log. */
const depthLimit = 8;

/** A copy of the value that is safe to write: secrets masked at any depth, errors as type, code, message and causes. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthLimit) return '[deeper]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const members = value instanceof Error ? errorMembers(value) : Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [name, isSecretName(name) ? mask : redact(member, depth + 1)]),
  );
}

/** The text with every secret masked that looks like one. */
export function redactText(text: string): string {
  return secretTexts.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
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

/** A line of a log again without secrets: it was redacted when it was written, by rules that may have been older. */
export function redactLine(line: string): string {
  try {
    return redactText(JSON.stringify(redact(JSON.parse(line))));
  } catch {
    return redactText(line);
  }
}
