import type { Migration } from '../../sqlite/index.ts';

/** Drops what a second validation of drafts had said, and where the service disagreed with it. */
export const withoutRehearsals: Migration = {
  number: 14,
  name: 'no rehearsals of drafts',
  up(db) {
    db.exec(`
      DROP TABLE rehearsal_disagreement;
      ALTER TABLE draft_review DROP COLUMN rehearsed;`);
  },
};
