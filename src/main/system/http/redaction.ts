import { AppError } from '#shared/errors/index.ts';

const mask = '[redacted]';

/** Shorter texts open nothing, and would blank parts of ordinary words. */
const leastLength = 8;

/** Blanks a credential in text from outside, as it is and as an address spells it. */
export function concealing(credential: string): (text: string) => string {
  if (credential.length < leastLength) return (text) => text;
  const spellings = spellingsOf(credential);
  return (text) => spellings.reduce((said, spelling) => said.replaceAll(spelling, mask), text);
}

/** Values that addresses spell in one form only: nearly every token. */
const unreserved = /^[\w.*-]+$/;

function spellingsOf(credential: string): string[] {
  if (unreserved.test(credential)) return [credential];
  const inQuery = new URLSearchParams([['', credential]]).toString().slice(1);
  return [...new Set([credential, encodeURIComponent(credential), inQuery])];
}

const maxCauses = 4;

/** Outline of a failed connection: names, codes and words along its causes, nothing else that the failure carries. */
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

/** Fails with `credential_missing` where a request could not carry it: the network layer’s own error would quote the credential. */
export function assertSendable(credential: string): void {
  if (visible.test(credential)) return;
  throw new AppError('credential_missing', {
    message: 'The credential of this profile has characters that cannot be sent.',
  });
}
