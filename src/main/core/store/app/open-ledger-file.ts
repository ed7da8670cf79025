import { copyFileSync, existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { refuseFolders, makeTemporary, removeTemporary } from '#core/platform/disk-places.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { connectReadOnly, withStorageErrors, type Database } from '../sqlite/database.ts';
import { hasJournal } from '../sqlite/open-database.ts';
import { schemaNumber, schemaRange, refuseOlderBuild } from '../sqlite/stored-schema.ts';
import { hasOnlyLog } from '../sqlite/files.ts';
import { appMigrations } from './migrations/app-migrations.ts';
import { createLedgerReader, type LedgerReader } from './ledger-rows.ts';

/**
 * Opens the ledger of an app database that another process may own; changes no file. Fails with `not_found`,
 * `schema_older_build`, `path_occupied`, `database_corrupt`, or as the disk does.
 */
export function openLedgerFile(name: string): AsyncDisposable & { reader: LedgerReader } {
  if (!existsSync(name)) throw new AppError('not_found', { message: 'There is no such file.' });
  refuseFolders([name]);
  // SQLite's log is in the folder of the file itself, not in the folder of a link to the file.
  const file = realpathSync(name);
  if (hasOnlyLog(file)) throw new AppError('database_corrupt', { message: 'The file is damaged.' });
  const { db, close } = (hasOwner(file) ? openInPlace(file) : null) ?? openCopy(file);
  try {
    withStorageErrors(() => takeSoundSnapshot(db));
    refuseOlderBuild(file, schemaNumber(db), schemaRange(appMigrations));
    return { reader: readerOf(db), dispose: async () => close() };
  } catch (failure) {
    close();
    throw failure;
  }
}

interface Opened {
  db: Database;
  close(): void;
}

/** True if another process has the database open. Without an owner, SQLite would create a log to read the file. */
const hasOwner = (file: string): boolean => existsSync(`${file}-wal`) && !hasJournal(file);

/** Returns null if SQLite cannot read the file in its folder, for example in another user's folder or on a read-only disk. */
function openInPlace(file: string): Opened | null {
  let db;
  try {
    db = connectReadOnly(file);
    db.pragma('schema_version');
  } catch (failure) {
    db?.close();
    if (failure instanceof BetterSqlite3.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(failure.code))
      return null;
    return withStorageErrors(() => {
      throw failure;
    });
  }
  const opened = db;
  return { db, close: () => void opened.close() };
}

/** Copies the files, because a transaction that a killed process left can be rolled back only in a copy. */
function openCopy(file: string): Opened {
  const folder = makeTemporary('countersign-verify-');
  const remove = (): void => removeTemporary(folder);
  const copy = join(folder, 'copy.sqlite');
  try {
    for (const companion of ['', '-journal', '-wal']) {
      if (statSync(file + companion, { throwIfNoEntry: false })?.isFile() === true)
        copyFileSync(file + companion, copy + companion);
    }
    const db = withStorageErrors(() => new BetterSqlite3(copy, { fileMustExist: true }));
    return {
      db,
      close() {
        db.close();
        remove();
      },
    };
  } catch (failure) {
    remove();
    throw failure instanceof AppError ? failure : diskFailure(failure, 'storage_failed');
  }
}

function takeSoundSnapshot(db: Database): void {
  db.exec('BEGIN');
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') {
    throw new AppError('database_corrupt', { message: 'The file is damaged.' });
  }
}

function readerOf(db: Database): LedgerReader {
  const found = db.prepare("SELECT 1 FROM sqlite_schema WHERE lower(name) = 'ledger'").get();
  if (found === undefined) throw new AppError('not_found', { message: 'The file has no ledger.' });
  return createLedgerReader(db);
}
