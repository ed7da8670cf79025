import BetterSqlite3 from 'better-sqlite3';
import { statSync } from 'node:fs';
import type { Logger } from '#core/platform/logger.ts';
import { replaceFileSync } from '#system/replace-file.ts';
import {
  connectReadOnly,
  type Database,
  isCorruption,
  runTransaction,
  withStorageErrors,
} from './database.ts';
import { freeName, hasOnlyLog, preparePrivateFile, removeDatabase, syncFile, timeInName } from './files.ts';

/** The state of a database file before anything new is written to it. */
export type Inspection = { kind: 'absent' } | { kind: 'corrupt' } | { kind: 'sound'; schema: number };

/**
 * Looks at the file: is it there, is it sound, which schema has it. What a killed process left half done is rolled back
 * first; nothing else is changed. Fails with `storage_failed`.
 */
export function inspect(file: string): Inspection {
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

/**
 * True if a rollback journal lies beside the file: a process ended while it switched the file to WAL, or while another
 * program wrote it. No connection can read such a file before one that may write has rolled it back.
 */
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

/** The number of the newest migration that the file has had; 0 for an empty file. */
export function schemaNumber(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * One step of a schema. Numbers count up without gaps; a released step is never edited. The first step need not be number 1:
 * lower numbers then belong to builds before it, whose files cannot be migrated.
 */
export interface Migration {
  number: number;
  /** For people, for example `ledger and settings`. */
  name: string;
  /** Runs inside the step's transaction. */
  up(db: Database): void;
}

/** The schema numbers that the first and the last migration lead to; 0 without any. A gap or a wrong order is a bug and throws. */
export function schemaRange(migrations: readonly Migration[]): { first: number; newest: number } {
  const first = migrations[0]?.number ?? 0;
  migrations.forEach(({ number, name }, index) => {
    if (number !== first + index) throw new Error(`Migration ${number} (${name}) is out of order`);
  });
  return { first, newest: migrations.at(-1)?.number ?? 0 };
}

/** Brings the file to the newest schema, each step in one transaction of its own. */
export function migrate(db: Database, migrations: readonly Migration[], logger: Logger): void {
  const from = schemaNumber(db);
  for (const { number, name, up } of migrations) {
    if (number <= from) continue;
    runTransaction(db, () => {
      up(db);
      db.pragma(`user_version = ${number}`);
    });
    logger.info({ migration: number, name }, 'The database schema moved on');
  }
}

/**
 * Copies the current database, WAL included, to `<file>.backup-<schema>-<time>` beside it, 0600 and on disk when this
 * returns. Half a copy never has that name. Returns the copy's path. Fails as the disk does.
 */
export function backUp(db: Database, nowMs: number): string {
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
