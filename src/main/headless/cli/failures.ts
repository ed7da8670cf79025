import { openLogFile } from '#core/platform/log-file.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { exitCodeOf, exitCodes } from './exit.ts';

/** A bug that has been written to the log; the person hears where, and nothing of its words. */
export class LoggedBug extends Error {
  readonly logFile: string;

  constructor(logFile: string, cause: unknown) {
    super('A bug was logged', { cause });
    this.name = 'LoggedBug';
    this.logFile = logFile;
  }
}

/** Says what failed and what to do next, and gives the exit code. */
export function reportFailure(failure: unknown, console: Console): number {
  if (failure instanceof AppError) {
    console.err(`countersign: ${failure.message}`);
    for (const { field, message } of failure.fields) console.err(`  ${field}: ${message}`);
    console.err(failure.next);
    return exitCodeOf(failure);
  }
  console.err('countersign: Something went wrong inside Countersign.');
  console.err(
    failure instanceof LoggedBug ? `Details are in ${failure.logFile}.` : 'Try again. If it stays, tell us.',
  );
  return exitCodes.failed;
}

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
