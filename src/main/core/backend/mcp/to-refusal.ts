import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { asNotReady } from '../not-ready.ts';

/** A failure as the caller may see it: refusals as they are, broken storage as `not_ready`, a bug as the neutral `internal`. */
export function toRefusal(failure: unknown, { logger, what }: { logger: Logger; what: string }): AppError {
  const seen = asNotReady(failure);
  const known = seen instanceof AppError ? seen : null;
  if (known !== null && known.status < 500) return known;
  logger.error({ err: failure, what }, 'A remote tool failed');
  return known ?? new AppError('internal', { message: 'The service failed. Try again later.' });
}
