import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#shared/errors/index.ts';

const corruptCodes = /^SQLITE_(CORRUPT|NOTADB)/;
const storageCodes = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM)/;

/** True when SQLite says that the file's content is damaged or is no database at all. */
export function isCorruption(failure: unknown): boolean {
  return failure instanceof BetterSqlite3.SqliteError && corruptCodes.test(failure.code);
}

/** What the driver says of a connection that has been closed under a service; it has no code for that. */
const closedMessage = 'The database connection is not open';

function isStorageFailure(failure: unknown): boolean {
  if (failure instanceof BetterSqlite3.SqliteError) return storageCodes.test(failure.code);
  return failure instanceof TypeError && failure.message === closedMessage;
}

/**
 * Runs database work and turns what the disk did into `AppError`: `storage_failed` (full, I/O error, not writable, closed,
 * held by another) or `database_corrupt`. A failed constraint or wrong SQL is a bug and passes as it is.
 */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (failure) {
    if (isCorruption(failure)) {
      throw new AppError('database_corrupt', { message: 'A database file is damaged.', cause: failure });
    }
    if (isStorageFailure(failure)) {
      throw new AppError('storage_failed', { cause: failure });
    }
    throw failure;
  }
}
