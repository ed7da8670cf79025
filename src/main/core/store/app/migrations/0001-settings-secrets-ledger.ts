import type { Migration } from '../../sqlite/index.ts';

/** Settings, sealed secrets and the ledger, whose rows can be added but neither changed nor removed. */
export const settingsSecretsLedger: Migration = {
  number: 1,
  name: 'settings, secrets and ledger',
  up(db) {
    db.exec(`
      CREATE TABLE setting (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE secret (
        profile TEXT NOT NULL,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (profile, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE ledger (
        seq INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        proposal_id TEXT,
        actor TEXT NOT NULL,
        via TEXT,
        summary TEXT NOT NULL,
        body TEXT NOT NULL,
        previous_hash TEXT NOT NULL,
        hash TEXT NOT NULL,
        key_id TEXT NOT NULL,
        signature TEXT NOT NULL
      ) STRICT;
      CREATE INDEX ledger_by_proposal ON ledger (proposal_id, seq) WHERE proposal_id IS NOT NULL;
      CREATE INDEX ledger_keys ON ledger (seq) WHERE kind = 'key.introduced';

      CREATE TRIGGER ledger_rows_stay BEFORE DELETE ON ledger
        BEGIN SELECT RAISE(ABORT, 'ledger rows are never removed'); END;
      CREATE TRIGGER ledger_rows_keep_their_words BEFORE UPDATE ON ledger
        BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;
    `);
  },
};
