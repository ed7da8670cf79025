import type { Migration } from '../../sqlite/index.ts';

/** The proposal that returns the campaigns of a pause says so itself: it undoes the pause. */
export const returnsAreUndos: Migration = {
  number: 13,
  name: 'returns are undos',
  up(db) {
    db.exec('ALTER TABLE status_change DROP COLUMN return_id;');
  },
};
