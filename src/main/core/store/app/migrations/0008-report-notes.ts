import type { Migration } from '../../sqlite/index.ts';

/** Marks, views and alerts of the reports, by profile. They are the user's own notes: no service knows them. */
export const reportNotes: Migration = {
  number: 8,
  name: 'marks, views and alerts of reports',
  up(db) {
    db.exec(`
      CREATE TABLE report_mark (
        id TEXT PRIMARY KEY,
        profile_id TEXT NOT NULL,
        source TEXT NOT NULL,
        dimension TEXT NOT NULL,
        value TEXT,
        sign TEXT NOT NULL CHECK (sign IN ('good', 'watch', 'bad', 'note')),
        note TEXT NOT NULL,
        marked_at_ms INTEGER NOT NULL,
        figures TEXT
      ) STRICT, WITHOUT ROWID;
      -- One mark for each value; a value that the service left out is one, too.
      CREATE UNIQUE INDEX report_mark_target
        ON report_mark (profile_id, source, dimension, value IS NULL, ifnull(value, ''));

      CREATE TABLE report_view (
        id TEXT PRIMARY KEY,
        profile_id TEXT NOT NULL,
        name TEXT NOT NULL COLLATE NOCASE,
        position INTEGER NOT NULL,
        is_start INTEGER NOT NULL CHECK (is_start IN (0, 1)),
        query TEXT NOT NULL,
        saved_at_ms INTEGER NOT NULL,
        UNIQUE (profile_id, name)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX report_view_start ON report_view (profile_id) WHERE is_start = 1;

      CREATE TABLE report_alert (
        id TEXT PRIMARY KEY,
        profile_id TEXT NOT NULL,
        rule TEXT NOT NULL,
        is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
        state TEXT NOT NULL CHECK (state IN ('clear', 'crossed')),
        since_ms INTEGER NOT NULL,
        checked_at_ms INTEGER,
        reading TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX report_alert_profile ON report_alert (profile_id);

      CREATE TABLE report_alert_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        profile_id TEXT NOT NULL,
        alert_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('crossed', 'recovered')),
        at_ms INTEGER NOT NULL,
        body TEXT NOT NULL,
        is_seen INTEGER NOT NULL CHECK (is_seen IN (0, 1))
      ) STRICT;
      CREATE INDEX report_alert_event_profile ON report_alert_event (profile_id);
    `);
  },
};
