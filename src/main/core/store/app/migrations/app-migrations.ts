import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0012-first-release.ts';

/** Drops what a second validation of drafts had said, and where the service disagreed with it. */
const withoutRehearsals: Migration = {
  number: 14,
  name: 'no rehearsals of drafts',
  up(db) {
    db.exec(`
      DROP TABLE rehearsal_disagreement;
      ALTER TABLE draft_review DROP COLUMN rehearsed;`);
  },
};

/**
 * Drops the stored treatment of tools, which a row could set to `read`. Only that a person has every call of a tool wait is stored from
 * now on; a tool that was let pass has to be let pass again. Indexes the links between proposals.
 */
const withoutTreatment: Migration = {
  number: 13,
  name: 'tool treatment by policy, links of proposals',
  up(db) {
    db.exec(`
      ALTER TABLE tool_pin ADD COLUMN is_tightened INTEGER NOT NULL DEFAULT 0 CHECK (is_tightened IN (0, 1));
      UPDATE tool_pin SET is_tightened = 1 WHERE treat_as = 'write';
      ALTER TABLE tool_pin DROP COLUMN treat_as;
      -- A start looks whether links between proposals end.
      CREATE INDEX proposal_replaced ON proposal (json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy'))
        WHERE json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy') IS NOT NULL;
      CREATE INDEX proposal_batches ON proposal (id) WHERE operation = 'batch';`);
  },
};

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [firstRelease, withoutTreatment, withoutRehearsals];
