import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

const corruptCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** What the driver's codes mean, the more exact ones first. */
const storageCodes: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^SQLITE_FULL$/, 'disk_full'],
  // The shared memory beside a database grows with the file system, not with SQLite's own writes.
  [/^SQLITE_IOERR_SHMSIZE$/, 'disk_full'],
  [/^SQLITE_READONLY$|^SQLITE_READONLY_DIRECTORY$/, 'disk_read_only'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM)/, 'storage_failed'],
];

/** True when SQLite says that the file's content is damaged or is no database at all. */
export function isCorruption(failure: unknown): boolean {
  return failure instanceof BetterSqlite3.SqliteError && corruptCodes.test(failure.code);
}

/** What the driver says of a connection that has been closed under a service; it has no code for that. */
const closedMessage = 'The database connection is not open';

function storageCodeOf(failure: unknown): ErrorCode | null {
  if (failure instanceof BetterSqlite3.SqliteError) {
    const { code } = failure;
    return storageCodes.find(([pattern]) => pattern.test(code))?.[1] ?? null;
  }
  return failure instanceof TypeError && failure.message === closedMessage ? 'storage_failed' : null;
}

/**
 * Runs database work and turns what the disk did into `AppError`: `disk_full`, `disk_read_only`, `storage_failed` (I/O
 * error, closed, held by another) or `database_corrupt`. A failed constraint or wrong SQL is a bug and passes as it is.
 */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (failure) {
    if (isCorruption(failure)) {
      throw new AppError('database_corrupt', { message: 'A database file is damaged.', cause: failure });
    }
    const code = storageCodeOf(failure);
    if (code !== null) throw new AppError(code, { cause: failure });
    throw failure;
  }
}
