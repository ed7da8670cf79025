/** Patterns that no answer may contain: source paths, stack traces, and names of software. */
const leaks: readonly RegExp[] = [
  /\n\s*at .+:\d+:\d+/,
  /node_modules/,
  /\/src\/(main|shared)\//,
  /file:\/\//,
  /SQLITE_|SqliteError|ZodError|TypeError|RangeError|ReferenceError|SyntaxError/,
  /better-sqlite3|fastify|oidc-provider|modelcontextprotocol\/sdk/i,
  /^(server|x-powered-by|via):/im,
  /node\/?v?\d+\.\d+/i,
];

/** Returns the problems of an answer; empty if the service behaves correctly. */
export function complaintsAbout(answer: string | null): string[] {
  if (answer === null) return ['no answer'];
  const final = withoutInterim(answer);
  if (final === '') return [];
  const [head = ''] = final.split('\r\n\r\n', 1);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  const complaints: string[] = [];
  if (status === 0) complaints.push('no status line');
  if (status >= 500) complaints.push(`status ${status}`);
  if (!/^x-content-type-options: nosniff$/im.test(head)) complaints.push('no nosniff');
  if (/^access-control-/im.test(head)) complaints.push('a CORS header');
  for (const leak of leaks) if (leak.test(answer)) complaints.push(`it tells ${String(leak)}`);
  return complaints;
}

/** Returns the status of an answer; `none` if the connection was closed without an answer. */
export function statusIn(answer: string | null): string {
  return /^HTTP\/1\.1 (\d{3}) /.exec(withoutInterim(answer ?? ''))?.[1] ?? 'none';
}

/** Removes `100 Continue`, which only allows the body and is not the answer. */
function withoutInterim(answer: string): string {
  return answer.replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
}
