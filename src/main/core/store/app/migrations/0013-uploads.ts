import type { Migration } from '../../sqlite/index.ts';

/** Pictures that were uploaded through this app, with their bytes. */
export const uploads: Migration = {
  number: 13,
  name: 'uploads',
  up(db) {
    db.exec(`
      -- The address of a picture follows from its bytes, so one picture is one row. The image is null until the upload is done.
      CREATE TABLE upload (
        profile_id TEXT NOT NULL,
        account TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        proposal_id TEXT,
        kind TEXT NOT NULL,
        file_name TEXT NOT NULL,
        content_type TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        content BLOB NOT NULL,
        cid INTEGER,
        image TEXT,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (profile_id, account, sha256)
      ) STRICT;
      CREATE INDEX upload_proposal ON upload (proposal_id) WHERE proposal_id IS NOT NULL;

      -- The campaigns to which a change through this app gave the picture; whether they still have it, a read tells.
      CREATE TABLE upload_use (
        profile_id TEXT NOT NULL,
        account TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        cid INTEGER NOT NULL,
        PRIMARY KEY (profile_id, account, sha256, cid),
        FOREIGN KEY (profile_id, account, sha256) REFERENCES upload (profile_id, account, sha256) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;`);
  },
};
