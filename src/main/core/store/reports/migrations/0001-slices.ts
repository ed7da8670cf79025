import type { Migration } from '../../sqlite/index.ts';

/** Slices of reports with the time of their reading, and the sources that were asked for. */
export const slices: Migration = {
  number: 1,
  name: 'slices of reports',
  up(db) {
    db.exec(`
      CREATE TABLE slice (
        id INTEGER PRIMARY KEY,
        profile TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        report TEXT NOT NULL CHECK (report IN ('xml', 'search')),
        source INTEGER NOT NULL,
        grouping TEXT NOT NULL CHECK (grouping IN ('day', 'geo', 'subid', 'feed')),
        from_day TEXT NOT NULL,
        to_day TEXT NOT NULL,
        read_at_ms INTEGER NOT NULL,
        used_at_ms INTEGER NOT NULL,
        size INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (profile, key_hash, report, source, grouping, from_day, to_day)
      ) STRICT;
      CREATE INDEX slice_by_use ON slice (used_at_ms, size);

      CREATE TABLE used_source (
        profile TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        report TEXT NOT NULL CHECK (report IN ('xml', 'search')),
        source INTEGER NOT NULL,
        PRIMARY KEY (profile, key_hash, report, source)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
