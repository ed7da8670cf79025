import type { Migration } from '../../sqlite/index.ts';

/** Live profiles, the refresh that is under way for each, and what was read of each service. */
export const profiles: Migration = {
  number: 3,
  name: 'profiles and kept reads',
  up(db) {
    db.exec(`
      CREATE TABLE profile (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        account TEXT NOT NULL,
        zone TEXT NOT NULL,
        base_url TEXT NOT NULL,
        api_url TEXT NOT NULL,
        mcp_url TEXT NOT NULL,
        remote_access TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE refresh_lease (
        profile TEXT NOT NULL PRIMARY KEY,
        taken_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE kept_row (
        profile TEXT NOT NULL,
        cid INTEGER NOT NULL,
        body TEXT NOT NULL,
        read_at_ms INTEGER NOT NULL,
        PRIMARY KEY (profile, cid)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE kept_campaign (
        profile TEXT NOT NULL,
        cid INTEGER NOT NULL,
        body TEXT NOT NULL,
        read_at_ms INTEGER NOT NULL,
        PRIMARY KEY (profile, cid)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
