import { AppError, catalogue } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { LibraryAnswer } from '../library/exchange.ts';

/**
 * The JSON of an answer that went well. A refusal of the library becomes the same refusal of ours, in our words; what
 * broke inside it passes as it is.
 */
export function jsonOf({ status, body, failure }: LibraryAnswer): Record<string, unknown> {
  if (failure instanceof AppError) throw failure;
  if (status >= 500 || failure !== null) throw new AppError('internal', { cause: failure });
  const value = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
  if (status >= 400) throw refusalOf(value['error']);
  return value;
}

function refusalOf(error: unknown): AppError {
  const code = `oauth_${String(error)}`;
  // A word that is not ours comes from a check that ours should have made before.
  if (!(code in catalogue)) return new AppError('oauth_invalid_request');
  return new AppError(code as ErrorCode);
}
