import { AppError, storageCodes } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

/** A refusal in the form of the standards (RFC 6749 §5.2, RFC 7591 §3.2.2). */
export interface WireError {
  status: number;
  error: string;
  error_description: string;
  /** Seconds, for 429. */
  retryAfterSeconds: number | null;
}

const prefix = 'oauth_';

/** Failures that have no word of their own in the standards. */
const otherWords = new Map<ErrorCode, readonly [status: number, error: string]>([
  ['quota_exceeded', [429, 'temporarily_unavailable']],
  ...storageCodes.map((code) => [code, [503, 'temporarily_unavailable']] as const),
]);

/** Puts any failure into the words of the standards; what is not expected says nothing of itself. */
export function wireErrorOf(failure: unknown): WireError {
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  const [status, word] = otherWords.get(error.code) ?? [error.status, wordOf(error)];
  const seconds = error.data['retryAfterSeconds'];
  return {
    status,
    error: word,
    error_description: status >= 500 ? 'The service failed. Try again later.' : error.message,
    retryAfterSeconds: typeof seconds === 'number' ? seconds : null,
  };
}

function wordOf({ code, status }: AppError): string {
  if (code.startsWith(prefix)) return code.slice(prefix.length);
  return status >= 500 ? 'server_error' : 'invalid_request';
}
