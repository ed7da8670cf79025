import type { Migration } from '../../sqlite/index.ts';

/** Finds the proposals that undo another one. */
export const undoneChanges: Migration = {
  number: 11,
  name: 'undone changes',
  up(db) {
    db.exec(`
      CREATE INDEX proposal_by_undone ON proposal (json_extract(origin, '$.undoes.id'))
        WHERE json_extract(origin, '$.undoes.id') IS NOT NULL;`);
  },
};
