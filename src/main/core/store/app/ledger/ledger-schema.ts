import BetterSqlite3 from 'better-sqlite3';
import { schemaNumber, type Database } from '../../sqlite/index.ts';
import { appMigrations } from '../migrations/index.ts';

/**
 * Compares the ledger's part of a file with what the migrations make. Whoever may write the file may replace the table by a
 * looser one, or by a view: then no walk over its rows proves anything, because a statement need not return them all.
 */
export interface LedgerSchema {
  /** True if the table, its indexes and every trigger that names it are those of the file's schema, letter by letter. */
  isOwn(): boolean;
  /** True if the table agrees with its indexes. Reads all of it. */
  isConsistent(): boolean;
}

interface Definition {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
}

// A trigger of another table may add rows as well, and names the ledger then.
const definitions = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE lower(tbl_name) = 'ledger' OR lower(name) = 'ledger' OR (type = 'trigger' AND sql LIKE '%ledger%')
  ORDER BY type, name`;

export function createLedgerSchema(db: Database): LedgerSchema {
  // A view or an index of somebody else may call functions that do harm; none of ours needs that right.
  db.pragma('trusted_schema = OFF');
  const found = db.prepare<[], Definition>(definitions);
  const expected = JSON.stringify(definitionsAt(schemaNumber(db)));
  return {
    isOwn: () => JSON.stringify(found.all()) === expected,
    isConsistent: () => db.pragma('integrity_check(ledger)', { simple: true }) === 'ok',
  };
}

/** The definitions of this schema; null if there is no such schema. */
function definitionsAt(schema: number): Definition[] | null {
  if (!(schema >= 1 && schema <= appMigrations.length)) return null;
  const db = new BetterSqlite3(':memory:');
  try {
    for (const { up } of appMigrations.slice(0, schema)) up(db);
    return db.prepare<[], Definition>(definitions).all();
  } finally {
    db.close();
  }
}
