import type { Migration } from '../../sqlite/index.ts';

/** Traffic sources, feeds, publisher keys (hashed) and their statistics, with the sums that reports are made of. */
export const statistics: Migration = {
  number: 4,
  name: 'publishers and statistics',
  up(db) {
    void db;
  },
};
