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
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  logger: Logger;
  /** With the folder's lock, refuses a database that another process has open. */
  lock?: FolderLock | undefined;
}

interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  setAside: string | null;
}

/**
 * Copies a database of an older schema before migrating it, and moves a damaged file aside. Changes no file if it fails with
 * `schema_newer`, `schema_older_build`, `schema_unknown` or `path_occupied`. Also fails with `schema_incomplete`,
 * `data_folder_locked` or `lock_lost`, and as the disk does.
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
    // Checked after the connection has its shared lock, which another start finds from now on (docs/one-core.md).
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

/** True if a rollback journal exists. Only a connection that may write can roll it back. */
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

function backUp(db: Database, nowMs: number): string {
  const part = `${db.name}.backup-part`;
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
