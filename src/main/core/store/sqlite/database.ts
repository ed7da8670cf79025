import BetterSqlite3 from 'better-sqlite3';

/** A connection to one SQLite file. Only `core/store` may hold one. */
export type Database = BetterSqlite3.Database;

/** How long a statement waits for another connection to the same file, in milliseconds. */
const busyTimeoutMs = 2_000;

/** The value of `PRAGMA auto_vacuum` for INCREMENTAL. */
const incrementalVacuum = 2;

/** Bytes of a page of a new file. An older file keeps its own. */
const pageBytes = 8_192;

/**
 * Opens for reading and writing, durably: WAL with `synchronous=FULL`, so that every commit is one fsync at least. The
 * file must exist already with its final permissions: SQLite gives `-wal` and `-shm` the same ones.
 */
export function connect(file: string): Database {
  const db = new BetterSqlite3(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Before the first page is written: rows of half a kilobyte fill larger pages better, and freed pages can be returned
    // (return-pages.ts). Setting the latter again would write the header.
    db.pragma(`page_size = ${pageBytes}`);
    if (db.pragma('auto_vacuum', { simple: true }) !== incrementalVacuum) {
      db.pragma('auto_vacuum = INCREMENTAL');
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // On macOS a plain fsync leaves the data in the drive's cache.
    db.pragma('fullfsync = ON');
    // What was forgotten (credentials, kept reads) is overwritten, not only unlinked.
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    return db;
  } catch (failure) {
    db.close();
    throw failure;
  }
}

/** Opens for reading only; never changes the file. */
export function connectReadOnly(file: string): Database {
  return new BetterSqlite3(file, { fileMustExist: true, readonly: true, timeout: busyTimeoutMs });
}

/** A database that lasts as long as its connection and leaves nothing on the disk. */
export function connectInMemory(): Database {
  return new BetterSqlite3(':memory:');
}
