import { changeCopy, type Database } from '../sqlite/index.ts';

/** The end of the ledger of a copy. */
export interface CopiedLedger {
  /** Number of rows. */
  seq: number;
  /** Hash of the last. */
  hash: string;
}

/**
 * Removes every secret from a copy of the app's database: sealed credentials and keys, and everything of the gateway's authorization
 * server, so that no agent has access by it. Returns the end of its ledger, or null if that is empty. Fails as the disk does.
 */
export function removeAppSecrets(file: string): CopiedLedger | null {
  return changeCopy(file, (db) => {
    db.exec(secretsGo);
    return ledgerEnd(db);
  });
}

/** Stores a setting in a copy of the app's database. Fails as the disk does. */
export function writeCopiedSetting(file: string, key: string, value: string): void {
  changeCopy(file, (db) => {
    db.prepare('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)').run(key, value);
  });
}

/** Credentials, grants, leases, and changes that a service prepared for the session of an agent. */
const secretsGo = `
  DELETE FROM secret;
  DELETE FROM oauth_row;
  DELETE FROM refresh_lease;
  DELETE FROM prepared_change;
  UPDATE agent SET grant_id = NULL;`;

function ledgerEnd(db: Database): CopiedLedger | null {
  const last = db.prepare<[], CopiedLedger>('SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1');
  return last.get() ?? null;
}
