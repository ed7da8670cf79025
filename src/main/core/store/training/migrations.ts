import type { Migration } from '../sqlite/index.ts';

/** The schema of training.sqlite. */
export const trainingMigrations: Migration[] = [
  {
    number: 1,
    name: 'names, attempts, lessons, and the workspace',
    up(db) {
      db.exec(`
        CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE trainee (name TEXT PRIMARY KEY, turn INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;

        CREATE TABLE attempt (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          ended_at_ms INTEGER NOT NULL,
          attempt TEXT NOT NULL,
          items TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attempt_by_name ON attempt (name, ended_at_ms);

        CREATE TABLE lesson (
          name TEXT NOT NULL,
          id TEXT NOT NULL,
          done_at_ms INTEGER NOT NULL,
          PRIMARY KEY (name, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE workspace (
          place INTEGER PRIMARY KEY CHECK (place = 1),
          id TEXT NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('mission', 'practice')),
          mission TEXT,
          at_ms INTEGER NOT NULL,
          data_key BLOB NOT NULL
        ) STRICT;
      `);
    },
  },
];
