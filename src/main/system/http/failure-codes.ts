import type { ErrorCode } from '#shared/errors/index.ts';

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
