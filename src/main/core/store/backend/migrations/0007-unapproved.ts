import type { Migration } from '../../sqlite/index.ts';

/**
 * Campaigns that were never approved. Pending says so too, until a member pauses the campaign. An older file knows of those
 * that are Pending still.
 */
export const unapproved: Migration = {
  number: 7,
  name: 'campaigns that were never approved',
  up(db) {
    db.exec(`
      CREATE TABLE campaign_unapproved (
        cid INTEGER NOT NULL PRIMARY KEY REFERENCES campaign (cid)
      ) STRICT;
      INSERT INTO campaign_unapproved (cid) SELECT cid FROM campaign WHERE status = 0;
    `);
  },
};
