import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { connectReadOnly, type Database, isCorruption, withStorageErrors } from './database.ts';

/** The state of a database file before anything new is written to it. */
export type Inspection = { kind: 'absent' } | { kind: 'corrupt' } | { kind: 'sound'; schema: number };

/**
 * Looks at the file: is it there, is it sound, which schema has it. What a killed process left half done is rolled back
 * first; nothing else is changed. Fails with `storage_failed`.
 */
export function inspect(file: string): Inspection {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  return withStorageErrors(() => {
    try {
      if (hasJournal(file)) rollBack(file);
      return inspectExisting(file);
    } catch (failure) {
      if (isCorruption(failure)) return { kind: 'corrupt' };
      throw failure;
    }
  });
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
