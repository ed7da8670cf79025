import { readdirSync, statSync } from 'node:fs';
import { type Logger, openLogFile } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { LoggedBug, reportFailure } from './failures.ts';

/** Runs a command with its log; a bug becomes a {@link LoggedBug}. Fails with `data_folder_foreign` for a shared folder with other files. */
export async function withLog<T>(
  dataFolder: string,
  console: Console,
  work: (logger: Logger) => Promise<T>,
): Promise<T> {
  refuseForeignFolder(dataFolder);
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

const ownNames = [
  'countersign.sqlite',
  'backend.sqlite',
  'lock.sqlite',
  'ledger.anchor.json',
  'logs',
  'serve',
];

/** A typing mistake such as `--data /` would otherwise take a folder from everyone else on the computer. */
function refuseForeignFolder(folder: string): void {
  let names: string[];
  try {
    if ((statSync(folder).mode & 0o077) === 0) return;
    names = readdirSync(folder);
  } catch {
    // It does not exist yet, or cannot be used, which the opening of the log reports.
    return;
  }
  if (names.length === 0 || names.some((name) => ownNames.includes(name))) return;
  throw new AppError('data_folder_foreign', { data: { folder } });
}
