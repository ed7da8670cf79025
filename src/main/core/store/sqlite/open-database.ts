import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { preparePrivateFolder } from '#system/claim-folder.ts';
import { replaceFileSync } from '#system/replace-file.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { connect, connectReadOnly, type Database, isCorruption, withStorageErrors } from './database.ts';
import {
  freeName,
  hasOnlyLog,
  preparePrivateFile,
  removeDatabase,
  setAside,
  syncFile,
  timeInName,
} from './files.ts';
import type { FolderLock } from './folder-lock.ts';
import {
  migrate,
  type Migration,
  refuseForeignSchema,
  refuseOtherTables,
  schemaNumber,
  schemaRange,
} from './stored-schema.ts';

interface OpenDatabaseOptions {
  /** Absolute path; its folder is made where needed. */
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  logger: Logger;
  /** Of the file's folder: then a database that another process has open is refused. */
  lock?: FolderLock | undefined;
}

interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  /** The new path of a damaged file that a fresh one replaced; null if the file was sound or new. */
  setAside: string | null;
}

/**
 * Opens or makes a database file: private permissions, durable commits, newest schema. An older file is copied before it
 * is migrated; a damaged one is moved aside, never deleted. Fails with `schema_newer`, `schema_older_build`,
 * `schema_unknown` or `path_occupied` (every file stays as it was), with `schema_incomplete` (its content does), with `data_folder_locked`
 * or `lock_lost`, and as the disk does.
 */
export function openDatabase({ file, migrations, clock, logger, lock }: OpenDatabaseOptions): OpenedDatabase {
  preparePrivateFolder(dirname(file));
  refuseForeignSchema(file, migrations);
  const found = inspect(file);
  const schema = found.kind === 'sound' ? found.schema : 0;

  const aside = found.kind === 'corrupt' ? setAside(file, clock.nowMs()) : null;
  if (aside !== null) logger.error({ file, setAside: aside }, 'A damaged database file was set aside');
  preparePrivateFile(file);
  if (found.kind === 'sound') lock?.refuseOpened(file);

  const db = withStorageErrors(() => connect(file), file);
  try {
    // After the connection has its shared lock: a start that takes the folder from here on finds it (docs/one-core.md).
    lock?.check();
    withStorageErrors(() => {
      refuseOtherTables(db, migrations, schema);
      if (schema > 0 && schema < schemaRange(migrations).newest) {
        const backup = backUp(db, clock.nowMs());
        logger.info({ file, backup, schema }, 'The database was copied before its schema moves on');
      }
      migrate(db, migrations, logger);
    }, file);
  } catch (failure) {
    db.close();
    throw failure;
  }
  return { db, setAside: aside, dispose: async () => void db.close() };
}

type Inspection = { kind: 'absent' } | { kind: 'corrupt' } | { kind: 'sound'; schema: number };

/** Is it there, is it sound, which schema has it? Rolls back what a killed process left. Fails with `storage_failed`. */
function inspect(file: string): Inspection {
  if (hasOnlyLog(file)) return { kind: 'corrupt' };
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  return withStorageErrors(() => {
    try {
      if (hasJournal(file)) rollBack(file);
      return inspectExisting(file);
    } catch (failure) {
      if (isCorruption(failure)) return { kind: 'corrupt' };
      throw failure;
    }
  }, file);
}

/** True if a rollback journal lies beside the file, which only a connection that may write can roll back. */
export function hasJournal(file: string): boolean {
  return (statSync(`${file}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function rollBack(file: string): void {
  const db = new BetterSqlite3(file, { fileMustExist: true });
  try {
    db.pragma('schema_version');
  } finally {
    db.close();
  }
}

function inspectExisting(file: string): Inspection {
  const db = connectReadOnly(file);
  try {
    const schema = schemaNumber(db);
    return db.pragma('quick_check(1)', { simple: true }) === 'ok'
      ? { kind: 'sound', schema }
      : { kind: 'corrupt' };
  } finally {
    db.close();
  }
}

/**
 * Copies the database to `<file>.backup-<schema>-<time>`, 0600 and on disk; half a copy never has that name. Returns the
 * path.
 */
function backUp(db: Database, nowMs: number): string {
  const part = `${db.name}.backup-part`;
  // Left by a process that was killed while it copied.
  removeDatabase(part);
  preparePrivateFile(part);
  try {
    withStorageErrors(() => db.prepare('VACUUM INTO ?').run(part));
  } catch (failure) {
    removeDatabase(part);
    throw failure;
  }
  syncFile(part);
  const copy = freeName(`${db.name}.backup-${schemaNumber(db)}-${timeInName(nowMs)}`);
  replaceFileSync(part, copy);
  return copy;
}
