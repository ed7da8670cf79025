import { AppError } from './app-error.ts';
import type { ErrorCode } from './catalogue.ts';

const codesOfTheSystem: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'disk_read_only',
  EISDIR: 'path_occupied',
};

/**
 * The expected failure behind what a call of the file system threw: `disk_full`, `disk_read_only`, `path_occupied`, or the
 * given code where the system says something else.
 */
export function diskFailure(cause: unknown, otherwise: ErrorCode, message?: string): AppError {
  const systemCode = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const code = codesOfTheSystem[systemCode];
  if (code !== undefined) return new AppError(code, { cause });
  return new AppError(otherwise, message === undefined ? { cause } : { message, cause });
}
