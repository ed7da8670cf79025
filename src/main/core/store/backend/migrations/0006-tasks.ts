import type { Migration } from '../../sqlite/index.ts';

/**
 * Scheduled tasks, their runs, and the files that runs have made. A run belongs to one due time, so the key of
 * `task_run` is what makes a second run of the same one impossible.
 */
export const tasks: Migration = {
  number: 6,
  name: 'scheduled tasks',
  up(db) {
    db.exec(`
      CREATE TABLE task (
        id TEXT NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid),
        client_id TEXT NOT NULL,
        grant_id TEXT,
        scopes TEXT NOT NULL,
        definition TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT,
        created_at_ms INTEGER NOT NULL,
        next_due_at_ms INTEGER,
        approval TEXT,
        approval_expires_at_ms INTEGER
      ) STRICT;
      CREATE INDEX task_by_account ON task (uid, created_at_ms);
      CREATE INDEX task_by_due_time ON task (next_due_at_ms) WHERE next_due_at_ms IS NOT NULL;
      CREATE INDEX task_by_approval ON task (approval_expires_at_ms) WHERE approval_expires_at_ms IS NOT NULL;

      CREATE TABLE task_run (
        id TEXT NOT NULL PRIMARY KEY,
        task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
        due_at_ms INTEGER NOT NULL,
        ran_at_ms INTEGER NOT NULL,
        missed INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT,
        row_count INTEGER,
        byte_count INTEGER,
        UNIQUE (task_id, due_at_ms)
      ) STRICT;
      CREATE INDEX task_run_to_do ON task_run (ran_at_ms) WHERE outcome = 'running';

      CREATE TABLE task_file (
        run_id TEXT NOT NULL PRIMARY KEY REFERENCES task_run (id) ON DELETE CASCADE,
        content_type TEXT NOT NULL,
        content TEXT NOT NULL
      ) STRICT;
    `);
  },
};
