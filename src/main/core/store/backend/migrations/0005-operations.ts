import type { Migration } from '../../sqlite/index.ts';

/** What was prepared and committed through the tools, and the files that came with it. */
export const operations: Migration = {
  number: 5,
  name: 'approvals, operations and uploads',
  up(db) {
    void db;
  },
};
