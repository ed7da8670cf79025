import { AppError } from '#shared/errors/index.ts';

/**
 * The failure that a request without an answer stands for: `service_unreachable`, or `address_refused` for a redirect.
 * `data.sent` is false only where it is certain that no byte of the request left.
 */
export function noAnswer(host: string, cause: unknown): AppError {
  if (isRedirect(cause)) {
    return new AppError('address_refused', {
      message: `The service at ${host} redirects elsewhere. Countersign does not follow.`,
      data: { sent: true },
      cause,
    });
  }
  const late = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new AppError('service_unreachable', {
    message: late ? `${host} did not answer in time.` : `${host} cannot be reached.`,
    data: { sent: late || !failedBeforeSending(reasonOf(cause)) },
    cause,
  });
}

/**
 * True when the failed request certainly never reached the server, so that what it carried is unused. False when it may have
 * been received, whatever came of it.
 */
export function wasNeverSent(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === false;
}

/** `fetch` wraps what happened into a TypeError of its own. */
function reasonOf(cause: unknown): unknown {
  return cause instanceof TypeError && cause.cause !== undefined ? cause.cause : cause;
}

/** What Node's `fetch` says where `redirect: 'error'` met a redirect; it has no code for it. */
function isRedirect(cause: unknown): boolean {
  const reason = reasonOf(cause);
  return reason instanceof Error && reason.message === 'unexpected redirect';
}

/** Certificates are checked before the request is written. */
const certificateCode = /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_)/;

/** A host has several addresses: none of them may have taken the request. */
function failedBeforeSending(reason: unknown): boolean {
  if (reason instanceof AggregateError && reason.errors.length > 0) {
    return reason.errors.every(failedBeforeSending);
  }
  if (!(reason instanceof Error)) return false;
  const { code, syscall } = reason as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return typeof code === 'string' && (code === 'UND_ERR_CONNECT_TIMEOUT' || certificateCode.test(code));
}
