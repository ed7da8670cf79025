import type { Migration } from '../../sqlite/index.ts';

/** How often a tool changed since somebody looked at it, and which of its definitions are on record since then. */
export const toolChanges: Migration = {
  number: 6,
  name: 'changes of tools',
  up(db) {
    db.exec(`
      ALTER TABLE tool_pin ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE tool_change (
        profile_id TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (profile_id, name, hash)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
