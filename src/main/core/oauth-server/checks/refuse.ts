import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

/** Ends a check with a code of the catalogue, and with what is wrong in this case. */
export function refuse(code: ErrorCode & `oauth_${string}`, message?: string): never {
  throw new AppError(code, message === undefined ? {} : { message });
}
