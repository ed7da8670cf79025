import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/*
 * Tests open a database file directly only through this module, and only if the test is about the file itself: a stranger
 * changes it, it is damaged, its disk fails, or it must not contain something. Everything else uses the app's handlers or,
 * for a state that no handler makes, the repositories of the store (`stores.ts`).
 */

export type StoredFile = BetterSqlite3.Database;

/** Reads rows of a database file, even while a core has it open. */
export function readRows<Row>(file: string, sql: string, ...values: unknown[]): Row[] {
  return readFile(file, (db) => db.prepare<unknown[], Row>(sql).all(...values));
}

/** Opens a database file for reading, and closes it afterwards. */
export function readFile<T>(file: string, work: (db: StoredFile) => T): T {
  const db = new BetterSqlite3(file, { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/**
 * Changes a database file as another program of this user could. Its triggers are removed meanwhile, and restored afterwards
 * if their table still exists.
 */
export function changeFile(file: string, change: string | ((db: StoredFile) => void)): void {
  const db = new BetterSqlite3(file);
  try {
    const triggers = db
      .prepare<[], { name: string; table: string; sql: string }>(
        `SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE type = 'trigger'`,
      )
      .all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    if (typeof change === 'string') db.exec(change);
    else change(db);
    const typeOf = db.prepare<[string], string>('SELECT type FROM sqlite_schema WHERE name = ?').pluck();
    for (const { name, table, sql } of triggers) {
      if (typeOf.get(table) === 'table' && typeOf.get(name) === undefined) db.exec(sql);
    }
  } finally {
    db.close();
  }
}

/** Makes every write to a database file fail, as a failing disk would, until the returned function is called. */
export function failWrites(file: string): () => void {
  const db = new BetterSqlite3(file);
  db.exec('BEGIN IMMEDIATE');
  return () => void db.close();
}

/** Makes every change of one proposal's row fail, until the returned function is called. */
export function failChangesOf(file: string, proposalId: string): () => void {
  const db = new BetterSqlite3(file);
  db.exec(`CREATE TRIGGER failing BEFORE UPDATE ON proposal WHEN OLD.id = '${proposalId}'
    BEGIN SELECT RAISE(ABORT, 'The disk failed'); END`);
  return () => {
    db.exec('DROP TRIGGER failing');
    db.close();
  };
}

/** Returns SQLite's verdict on a file: `ok`, or the problems. */
export function integrityOf(file: string): string {
  try {
    return readFile(file, (db) => String(db.pragma('integrity_check', { simple: true })));
  } catch (failure) {
    return String(failure);
  }
}

/**
 * Returns the port for agents that a core has stored; null if it has chosen none. For apps that a test cannot send requests
 * to.
 */
export function gatewayPortIn(dataFolder: string): number | null {
  const sql = 'SELECT value FROM setting WHERE key = ?';
  const [row] = readRows<{ value: string }>(join(dataFolder, 'countersign.sqlite'), sql, 'gateway.port');
  return row === undefined ? null : Number(row.value);
}
