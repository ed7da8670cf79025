import type { Migration } from '../../sqlite/index.ts';

/** Agents' attempts that were refused before they became proposals. */
export const refusedAttempts: Migration = {
  number: 10,
  name: 'refused attempts',
  up(db) {
    db.exec(`
      CREATE TABLE refused_attempt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        profile_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        agent_name TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        times INTEGER NOT NULL CHECK (times > 0),
        title TEXT NOT NULL,
        cids TEXT NOT NULL,
        campaign_count INTEGER NOT NULL,
        rule TEXT NOT NULL,
        reason TEXT NOT NULL
      ) STRICT;
      CREATE INDEX refused_attempt_profile ON refused_attempt (profile_id);`);
  },
};
