import { readdirSync, statSync } from 'node:fs';
import { type Logger, openLogFile } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { LoggedBug, reportFailure } from './failures.ts';

/** Runs a command with its log; a bug becomes a {@link LoggedBug}. Fails with `data_folder_foreign` for a shared foreign folder. */
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
  // No caller handles this failure, and the state of its work is unknown. Exiting immediately is safe for the files.
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

/** Prevents a mistake such as `--data /` from making a folder inaccessible to everyone else on the computer. */
function refuseForeignFolder(folder: string): void {
  let names: string[];
  try {
    if ((statSync(folder).mode & 0o077) === 0) return;
    names = readdirSync(folder);
  } catch {
    // The folder does not exist yet, or cannot be used, which opening the log reports.
    return;
  }
  if (names.length === 0 || names.some((name) => ownNames.includes(name))) return;
  throw new AppError('data_folder_foreign', { data: { folder } });
}
