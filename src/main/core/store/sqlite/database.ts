import BetterSqlite3 from 'better-sqlite3';
import { dirname } from 'node:path';
import { createRecentMap } from '#core/platform/recent-map.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { outOfFiles } from '#system/replace-file.ts';

export type Database = BetterSqlite3.Database;

const busyTimeoutMs = 2_000;

const incrementalVacuum = 2;

const pageBytes = 8_192;

/** The file must exist with its final permissions: SQLite gives `-wal` and `-shm` the permissions of the file. */
export function connect(file: string): Database {
  const db = new BetterSqlite3(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Must precede the first page. Rows of half a kilobyte fill larger pages better. Setting `auto_vacuum` again would
    // write the header.
    db.pragma(`page_size = ${pageBytes}`);
    if (db.pragma('auto_vacuum', { simple: true }) !== incrementalVacuum) {
      db.pragma('auto_vacuum = INCREMENTAL');
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // On macOS a plain fsync leaves the data in the drive's cache.
    db.pragma('fullfsync = ON');
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    // In KiB. The driver's default of 16 MB per connection is never released; the operating system caches the file too.
    db.pragma('cache_size = -4096');
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
  [/^SQLITE_IOERR_SHMSIZE$/, 'disk_full'],
  [/^SQLITE_READONLY$|^SQLITE_READONLY_DIRECTORY$/, 'disk_read_only'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM)/, 'storage_failed'],
];

export function isCorruption(failure: unknown): boolean {
  return failure instanceof BetterSqlite3.SqliteError && corruptCodes.test(failure.code);
}

/** Compared as text, because the driver has no error code for a closed connection. */
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
 * Converts disk failures to `disk_full`, `disk_read_only`, `storage_failed`, `database_corrupt` or `database_engine_unusable`.
 * Other failures are bugs and are thrown unchanged.
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

type Call<Result> = (...bound: unknown[]) => Result;

export function writes(db: Database, sql: string): Call<void> {
  const statement = db.prepare(sql);
  return (...bound) => void statement.run(...bound);
}

/** Without `from`, rows are returned unconverted. */
export function readAll<Row, Value = Row>(
  db: Database,
  sql: string,
  from?: (row: Row) => Value,
): Call<Value[]> {
  const statement = db.prepare<unknown[], Row & Value>(sql);
  return (...bound) => {
    const rows = statement.all(...bound);
    return from === undefined ? rows : rows.map((row) => from(row));
  };
}

export function readFirst<Row, Value = Row>(
  db: Database,
  sql: string,
  from?: (row: Row) => Value,
): Call<Value | null> {
  const statement = db.prepare<unknown[], Row & Value>(sql);
  return (...bound) => {
    const row = statement.get(...bound);
    if (row === undefined) return null;
    return from === undefined ? row : from(row);
  };
}

export function readValues<Value>(db: Database, sql: string): Call<Value[]> {
  const statement = db.prepare<unknown[], Value>(sql).pluck();
  return (...bound) => statement.all(...bound);
}

/** Returns the first column of the first row; null if there is no row. */
export function readValue<Value>(db: Database, sql: string): Call<Value | null> {
  const statement = db.prepare<unknown[], Value>(sql).pluck();
  return (...bound) => statement.get(...bound) ?? null;
}

/** Uses a savepoint inside another transaction. Otherwise writes through to the disk before it returns. Fails as the disk does. */
export function runTransaction<T>(db: Database, work: () => T): T {
  return withStorageErrors(() => db.transaction(work).immediate(), db.name);
}

const pagesAtOnce = 2_000;

/** Returns unused pages, and true while some remain. Call it outside transactions. Fails with `storage_failed`. */
export function returnPages(db: Database): boolean {
  return withStorageErrors(() => {
    if (freePages(db) === 0) return false;
    if (db.pragma('auto_vacuum', { simple: true }) === incrementalVacuum) {
      db.pragma(`incremental_vacuum(${pagesAtOnce})`);
    } else {
      db.pragma(`auto_vacuum = ${incrementalVacuum}`);
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
  find(id: string): Readonly<Row> | null;
  forget(): void;
}

/** Caches rows until the next write. Inside a transaction, which may be rolled back, reads from the disk. */
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

interface Columns {
  selected: string;
  inserted: string;
  updated: string;
}

export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Builds parts of SQL statements from member names separated by spaces, such as `agentId answer`. */
export function columnsOf(text: string): Columns {
  const members = text.split(/\s+/);
  const list = (part: (member: string) => string): string => members.map(part).join(', ');
  return {
    selected: list((member) => `${columnOf(member)} AS ${member}`),
    inserted: `(${list(columnOf)}) VALUES (${list((member) => `:${member}`)})`,
    updated: list((member) => `${columnOf(member)} = :${member}`),
  };
}
