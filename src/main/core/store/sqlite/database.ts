import BetterSqlite3 from 'better-sqlite3';
import { dirname } from 'node:path';
import { createRecentMap } from '#core/platform/recent-map.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { outOfFiles } from '#system/disk-failure.ts';

export type Database = BetterSqlite3.Database;

const busyTimeoutMs = 2_000;

const incrementalVacuum = 2;

const pageBytes = 8_192;

/** Durable: WAL with `synchronous=FULL`. The file must exist with its final permissions: SQLite gives `-wal` and `-shm` the same. */
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
    // In KiB. The driver's 16 MB for each connection are never given back; the system caches the file as well.
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
  // The shared memory beside a database grows with the file system, not with SQLite's own writes.
  [/^SQLITE_IOERR_SHMSIZE$/, 'disk_full'],
  [/^SQLITE_READONLY$|^SQLITE_READONLY_DIRECTORY$/, 'disk_read_only'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM)/, 'storage_failed'],
];

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
 * Turns what the disk did into `disk_full`, `disk_read_only`, `storage_failed`, `database_corrupt` or
 * `database_engine_unusable`; constraints and wrong SQL pass as bugs. With `file`, a disk without room for more files is
 * named.
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

/** A row as `read` gives it; null for none. */
export function readRow<Row, Value>(row: Row | undefined, read: (row: Row) => Value): Value | null {
  return row === undefined ? null : read(row);
}

/** A statement that changes rows, as a function of what is bound. */
export function writes(db: Database, sql: string): (...bound: unknown[]) => void {
  const statement = db.prepare(sql);
  return (...bound) => void statement.run(...bound);
}

/** A statement that gives the first column of its rows alone. */
export function readColumn<Bound extends unknown[], Value>(
  db: Database,
  sql: string,
): BetterSqlite3.Statement<Bound, Value> {
  return (db.prepare(sql) as BetterSqlite3.Statement<Bound, Value>).pluck();
}

/**
 * Runs synchronous work in one immediate transaction, a savepoint inside another; on the disk when it returns. Fails as
 * the disk does.
 */
export function runTransaction<T>(db: Database, work: () => T): T {
  return withStorageErrors(() => db.transaction(work).immediate(), db.name);
}

/** Pages given back at once: 16 MB. */
const pagesAtOnce = 2_000;

/** Gives a part of the unused pages back; true while more are left. Outside transactions. Fails with `storage_failed`. */
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
  /** Returns the current row; one object for as long as nothing is written. Null if there is none. */
  find(id: string): Readonly<Row> | null;
  /** Called before every write to the table. */
  forget(): void;
}

/** Remembers rows until something is written; inside a transaction, which may be rolled back, everything is read from the disk. */
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
  /** `agent_id AS agentId, answer AS answer`: for SELECT. */
  selected: string;
  /** `(agent_id, answer) VALUES (:agentId, :answer)`: for INSERT. */
  inserted: string;
  /** `agent_id = :agentId, answer = :answer`: for UPDATE. */
  updated: string;
}

/** `agent_id` for `agentId`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Parts of statements about rows whose members have the names of their columns in camel case, given as one text with spaces. */
export function columnsOf(text: string): Columns {
  const members = text.split(/\s+/);
  const list = (part: (member: string) => string): string => members.map(part).join(', ');
  return {
    selected: list((member) => `${columnOf(member)} AS ${member}`),
    inserted: `(${list(columnOf)}) VALUES (${list((member) => `:${member}`)})`,
    updated: list((member) => `${columnOf(member)} = :${member}`),
  };
}
