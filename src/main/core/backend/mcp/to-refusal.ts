import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

/** What the disk did is a dependency that is not available (contract §7.3, 503). */
const storageCodes: ReadonlySet<ErrorCode> = new Set(['storage_failed', 'database_corrupt']);

/** A failure as the caller may see it: refusals as they are, broken storage as `not_ready`, a bug as the neutral `internal`. */
export function toRefusal(failure: unknown, { logger, what }: { logger: Logger; what: string }): AppError {
  const known = failure instanceof AppError ? failure : null;
  if (known !== null && known.status < 500) return known;
  logger.error({ err: failure, what }, 'A remote tool failed');
  if (known === null) return new AppError('internal', { message: 'The service failed. Try again later.' });
  return storageCodes.has(known.code) ? new AppError('not_ready') : known;
}
