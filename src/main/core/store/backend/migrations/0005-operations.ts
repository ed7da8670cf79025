import type { Migration } from '../../sqlite/index.ts';

/** What was prepared and committed through the tools, and the pictures that were uploaded with them. */
export const operations: Migration = {
  number: 5,
  name: 'approvals, operations and uploads',
  up(db) {
    db.exec(`
      CREATE TABLE approval (
        id TEXT NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid),
        owner TEXT NOT NULL,
        grant_id TEXT,
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        payload TEXT NOT NULL,
        revision TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        expires_at_ms INTEGER NOT NULL,
        used INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX approval_by_account ON approval (uid, used, owner);
      CREATE INDEX approval_by_expiry ON approval (expires_at_ms);

      CREATE TABLE approval_file (
        approval_id TEXT NOT NULL PRIMARY KEY REFERENCES approval (id) ON DELETE CASCADE,
        bytes BLOB NOT NULL
      ) STRICT;

      CREATE TABLE operation (
        id TEXT NOT NULL PRIMARY KEY,
        owner TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        payload TEXT,
        committed_at_ms INTEGER NOT NULL,
        answer TEXT,
        UNIQUE (owner, idempotency_key)
      ) STRICT;
      CREATE INDEX operation_by_age ON operation (owner, committed_at_ms);
      CREATE INDEX operation_by_time ON operation (committed_at_ms);

      CREATE TABLE picture (
        id INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        content_type TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;
      CREATE TABLE picture_owner (
        uid INTEGER NOT NULL REFERENCES member (uid),
        picture_id INTEGER NOT NULL REFERENCES picture (id),
        PRIMARY KEY (uid, picture_id)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
