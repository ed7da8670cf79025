import type { Migration } from '../../sqlite/index.ts';

/** What each account may use: a list of module names, as JSON. Accounts of an older file get those of their part. */
export const modules: Migration = {
  number: 2,
  name: 'modules',
  up(db) {
    db.exec(`
      ALTER TABLE member ADD COLUMN modules TEXT NOT NULL DEFAULT '[]';
      UPDATE member SET modules = CASE role
        WHEN 'publisher' THEN '["xml","search","tasks"]'
        ELSE '["campaigns","uploads","tasks"]' END;
    `);
  },
};
