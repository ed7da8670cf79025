import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { outOfFiles } from '#system/disk-failure.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';

export type Database = BetterSqlite3.Database;

const busyTimeoutMs = 2_000;

const incrementalVacuum = 2;

const pageBytes = 8_192;

/**
 * Opens for reading and writing, durably: WAL with `synchronous=FULL`, so that every commit is one fsync at least. The
 * file must exist already with its final permissions: SQLite gives `-wal` and `-shm` the same ones.
 */
export function connect(file: string): Database {
  const db = new BetterSqlite3(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Before the first page is written: rows of half a kilobyte fill larger pages better, and freed pages can be returned
    // (`returnPages`). Setting the latter again would write the header.
    db.pragma(`page_size = ${pageBytes}`);
    if (db.pragma('auto_vacuum', { simple: true }) !== incrementalVacuum) {
      db.pragma('auto_vacuum = INCREMENTAL');
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // On macOS a plain fsync leaves the data in the drive's cache.
    db.pragma('fullfsync = ON');
    // Deleted rows (credentials, cached campaigns) are overwritten, not only unlinked.
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    return db;
  } catch (failure) {
    db.close();
    throw failure;
  }
}

export function connectReadOnly(file: string): Database {
  return new BetterSqlite3(file, { fileMustExist: true, readonly: true, timeout: busyTimeoutMs });
}

export function connectInMemory(): Database {
  return new BetterSqlite3(':memory:');
}

const corruptCodes = /^SQLITE_(CORRUPT|NOTADB)/;

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

/** The driver's message about a connection that was closed under a service; it has no code for that. */
const closedMessage = 'The database connection is not open';

const bindingCodes = new Set<unknown>(['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND']);

function storageCodeOf(failure: unknown): ErrorCode | null {
  if (failure instanceof BetterSqlite3.SqliteError) {
    const { code } = failure;
    return storageCodes.find(([pattern]) => pattern.test(code))?.[1] ?? null;
  }
  if (failure instanceof TypeError && failure.message === closedMessage) return 'storage_failed';
  const isBindings = failure instanceof Error && 'code' in failure && bindingCodes.has(failure.code);
  return isBindings ? 'database_engine_unusable' : null;
}

/**
 * Runs database work and turns what the disk did into `AppError`: `disk_full`, `disk_read_only`, `storage_failed` (I/O
 * error, closed, held by another), `database_corrupt` or `database_engine_unusable`. A failed constraint or wrong SQL is a bug and passes as it is.
 * With the database's file, a disk that can hold no more files is named: SQLite says only that it cannot open one.
 */
export function withStorageErrors<T>(work: () => T, file?: string): T {
  try {
    return work();
  } catch (failure) {
    if (isCorruption(failure)) {
      throw new AppError('database_corrupt', { message: 'A database file is damaged.', cause: failure });
    }
    const code = storageCodeOf(failure);
    const full = file === undefined || code === null ? null : outOfFiles(dirname(file), failure);
    if (code !== null) throw full ?? new AppError(code, { cause: failure });
    throw failure;
  }
}

/**
 * Runs the work in one immediate transaction and returns its result after the commit has reached the disk. Inside another
 * transaction it is a savepoint of that one. Whatever is thrown rolls back; a full or failing disk is `storage_failed`.
 * The work must be synchronous.
 */
export function runTransaction<T>(db: Database, work: () => T): T {
  return withStorageErrors(() => db.transaction(work).immediate(), db.name);
}

const incremental = 2;

/** Pages given back at once: 16 MB. */
const pagesAtOnce = 2_000;

/**
 * Returns unused pages to the disk, a part of them at a time. Returns true while more are left. A file that another
 * program made without that setting is rewritten once, which takes a second per hundred megabytes. Outside
 * transactions. Fails with `storage_failed`.
 */
export function returnPages(db: Database): boolean {
  return withStorageErrors(() => {
    if (freePages(db) === 0) return false;
    if (db.pragma('auto_vacuum', { simple: true }) === incremental) {
      db.pragma(`incremental_vacuum(${pagesAtOnce})`);
    } else {
      db.pragma(`auto_vacuum = ${incremental}`);
      db.exec('VACUUM');
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
    return freePages(db) > 0;
  });
}

function freePages(db: Database): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}

const maxRemembered = 256;

interface RememberedRows<Row> {
  /** Returns the current row; one object for as long as nothing is written. Null if there is none. */
  find(id: string): Readonly<Row> | null;
  /** Called before every write to the table. */
  forget(): void;
}

/**
 * Remembers what was read until something is written. Within a transaction everything is read from the disk: what it has
 * written may yet be rolled back. The data folder's lock keeps every other program from writing.
 */
export function rememberRows<Row extends object>(
  db: Pick<Database, 'inTransaction'>,
  read: (id: string) => Row | null,
): RememberedRows<Row> {
  const remembered = createRecentMap<string, Readonly<Row>>(maxRemembered);
  return {
    find(id) {
      if (db.inTransaction) return read(id);
      const known = remembered.get(id);
      if (known !== undefined) return known;
      const row = read(id);
      if (row === null) return null;
      remembered.set(id, Object.freeze(row));
      return row;
    },
    forget: () => remembered.clear(),
  };
}
