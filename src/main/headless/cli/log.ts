import { type Logger, openLogFile } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { LoggedBug, reportFailure } from './failures.ts';

/** Runs a command with its log. What fails is logged; a bug comes out as a {@link LoggedBug}, wherever it happened. */
export async function withLog<T>(
  dataFolder: string,
  console: Console,
  work: (logger: Logger) => Promise<T>,
): Promise<T> {
  const { logger, file } = openLogFile(dataFolder);
  const logBug = (bug: unknown): LoggedBug => {
    logger.error({ err: bug }, 'The command failed');
    return new LoggedBug(file, bug);
  };
  // Nobody waits for what failed here, and nobody knows what it left half done: files survive an end at once.
  const crash = (bug: unknown): void => process.exit(reportFailure(logBug(bug), console));
  process.on('uncaughtException', crash);
  try {
    return await work(logger);
  } catch (failure) {
    if (!(failure instanceof AppError)) throw logBug(failure);
    logger.warn({ code: failure.code, err: failure.cause }, failure.message);
    throw failure;
  } finally {
    process.off('uncaughtException', crash);
  }
}
