import type { Migration } from '../../sqlite/index.ts';

/** Scheduled tasks and their runs. */
export const tasks: Migration = {
  number: 6,
  name: 'scheduled tasks',
  up(db) {
    void db;
  },
};
