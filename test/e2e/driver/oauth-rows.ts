import Database from 'better-sqlite3';
import { join } from 'node:path';

/** Everything that the OAuth endpoints of the gateway store: clients, codes, tokens and grants, by the hashes of their ids. */
export function oauthRows(dataFolder: string): unknown[] {
  const database = new Database(join(dataFolder, 'countersign.sqlite'), { readonly: true });
  try {
    return database
      .prepare(
        'SELECT model, id_hash, payload, consumed_at_ms, expires_at_ms FROM oauth_row ORDER BY model, id_hash',
      )
      .all();
  } finally {
    database.close();
  }
}
