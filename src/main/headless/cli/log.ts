import { type Logger, openLogFile } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { LoggedBug, reportFailure } from './failures.ts';

/** Runs a command with its log. Failures are logged; a bug comes out as a {@link LoggedBug}, wherever it happened. */
export async function withLog<T>(
  dataFolder: string,
  console: Console,
  work: (logger: Logger) => Promise<T>,
): Promise<T> {
  const { logger, file } = openLogFile(dataFolder);
  const logged = (failure: unknown): AppError | LoggedBug => {
    if (failure instanceof AppError) {
      logger.warn({ code: failure.code, err: failure.cause }, failure.message);
      return failure;
    }
    logger.error({ err: failure }, 'The command failed');
    return new LoggedBug(file, failure);
  };
  // No caller waits for this failure, and its half-done work is unknown: files survive an immediate end.
  const crash = (failure: unknown): void => process.exit(reportFailure(logged(failure), console));
  process.on('uncaughtException', crash);
  try {
    return await work(logger);
  } catch (failure) {
    throw logged(failure);
  } finally {
    process.off('uncaughtException', crash);
  }
}
