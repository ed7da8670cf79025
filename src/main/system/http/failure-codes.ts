import { type ErrorCode, AppError } from '#shared/errors/index.ts';

export const connectMs = 10_000;

/** Time for one address before the next is tried, in milliseconds. Node's 250 ms are too short for a satellite connection. */
export const attempts = { autoSelectFamilyAttemptTimeout: 2_000 } as const;

export const failureCodes = {
  connectTimeout: 'CONNECT_TIMEOUT',
  redirect: 'REDIRECT_REFUSED',
  port: 'PORT_REFUSED',
  proxySignIn: 'PROXY_SIGN_IN',
  proxyRefused: 'PROXY_REFUSED',
  proxyUnreachable: 'PROXY_UNREACHABLE',
  proxyUnsupported: 'PROXY_UNSUPPORTED',
} as const;

export function coded(message: string, code: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

export const untrustedCodes: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
];

const faults = new Map<string, ErrorCode>([
  ...untrustedCodes.map((code) => [code, 'certificate_untrusted'] as const),
  [failureCodes.proxySignIn, 'proxy_sign_in_needed'],
  [failureCodes.proxyRefused, 'proxy_refused'],
  [failureCodes.proxyUnreachable, 'proxy_refused'],
  [failureCodes.proxyUnsupported, 'proxy_refused'],
]);

/** The error code for a request without an answer: a fault of the network if recognizable, else `service_unreachable`. */
export function noAnswerCode(cause: unknown): ErrorCode {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return faults.get(code) ?? 'service_unreachable';
}

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
