import { AppError } from '#shared/errors/index.ts';

const mask = '[redacted]';

/** Shorter credentials are not concealed, because they would blank parts of ordinary words. No real credential is that short. */
const leastLength = 8;

/** Conceals a credential in untrusted text, both unchanged and URL-encoded. */
export function concealing(credential: string): (text: string) => string {
  if (credential.length < leastLength) return (text) => text;
  const spellings = spellingsOf(credential);
  return (text) => spellings.reduce((said, spelling) => said.replaceAll(spelling, mask), text);
}

/** Values that need no URL encoding, as nearly every token. */
const unreserved = /^[\w.*-]+$/;

function spellingsOf(credential: string): string[] {
  if (unreserved.test(credential)) return [credential];
  const inQuery = new URLSearchParams([['', credential]]).toString().slice(1);
  return [...new Set([credential, encodeURIComponent(credential), inQuery])];
}

const maxCauses = 4;

/** Summary of a failed connection: only names, codes and messages of the failure and its causes, without any other property. */
export function outlineOf(failure: unknown, conceal: (text: string) => string, depth = 1): Error {
  if (!(failure instanceof Error)) return new Error(conceal(String(failure)));
  const { name, message, cause } = failure;
  const outline = new Error(
    conceal(message),
    cause === undefined || depth === maxCauses ? {} : { cause: outlineOf(cause, conceal, depth + 1) },
  );
  outline.name = name;
  const code = 'code' in failure && typeof failure.code === 'string' ? { code: failure.code } : {};
  return Object.assign(outline, code);
}

const visible = /^[\x21-\x7e]+$/;

/** Fails with `credential_missing` for an unsendable credential. The network layer's own error would quote it. */
export function assertSendable(credential: string): void {
  if (visible.test(credential)) return;
  throw new AppError('credential_missing', {
    message: 'The credential of this profile has characters that cannot be sent.',
  });
}
