import type { Migration } from '../../sqlite/index.ts';

/** Labels, notes and saved views of the campaign list, which no service knows. */
export const campaignNotes: Migration = {
  number: 13,
  name: 'campaign notes',
  up(db) {
    db.exec(`
      CREATE TABLE campaign_label (
        id TEXT NOT NULL PRIMARY KEY,
        profile_id TEXT NOT NULL,
        name TEXT NOT NULL,
        color TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX campaign_label_profile ON campaign_label (profile_id);

      CREATE TABLE campaign_label_use (
        profile_id TEXT NOT NULL,
        account TEXT NOT NULL,
        cid INTEGER NOT NULL,
        label_id TEXT NOT NULL REFERENCES campaign_label (id) ON DELETE CASCADE,
        PRIMARY KEY (profile_id, account, cid, label_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX campaign_label_use_label ON campaign_label_use (label_id);

      CREATE TABLE campaign_note (
        profile_id TEXT NOT NULL,
        account TEXT NOT NULL,
        cid INTEGER NOT NULL,
        note TEXT NOT NULL CHECK (note <> ''),
        PRIMARY KEY (profile_id, account, cid)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE campaign_view (
        id TEXT NOT NULL PRIMARY KEY,
        profile_id TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        saved_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX campaign_view_profile ON campaign_view (profile_id);`);
  },
};
