import type { Migration } from '#core/store/sqlite/stored-schema.ts';

/** The first schema of a database that only tests have. */
export const notes: Migration = {
  number: 1,
  name: 'notes',
  up: (db) => db.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT'),
};

/** The second schema, whose migration changes every row. */
export const authors: Migration = {
  number: 2,
  name: 'authors',
  up: (db) =>
    db.exec(`
      ALTER TABLE note ADD COLUMN author TEXT NOT NULL DEFAULT '';
      UPDATE note SET author = 'nobody';`),
};
