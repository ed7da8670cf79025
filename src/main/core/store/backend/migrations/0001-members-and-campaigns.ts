import type { Migration } from '../../sqlite/index.ts';

/**
 * Members, the tenant, campaigns. A campaign is one narrow row with everything that the list shows, sorts and filters,
 * and its whole payload apart, so that walking the list never touches payloads. Every sort index ends in what can be
 * filtered, so that a filtered walk reads the index alone.
 */
export const membersAndCampaigns: Migration = {
  number: 1,
  name: 'members and campaigns',
  up(db) {
    db.exec(`
      CREATE TABLE member (
        uid INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        balance_micros INTEGER NOT NULL,
        mcp_menu INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE campaign_type (
        code INTEGER NOT NULL PRIMARY KEY,
        json TEXT NOT NULL
      ) STRICT;

      CREATE TABLE setting (
        key TEXT NOT NULL PRIMARY KEY,
        json TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE campaign (
        cid INTEGER NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid),
        type INTEGER NOT NULL,
        status INTEGER NOT NULL,
        name_folded TEXT NOT NULL,
        type_name TEXT NOT NULL,
        website TEXT NOT NULL,
        geo TEXT NOT NULL,
        payout REAL NOT NULL,
        d_revenue REAL NOT NULL,
        t_revenue REAL NOT NULL,
        daily_budget REAL NOT NULL,
        total_budget REAL NOT NULL,
        bid_control_count INTEGER NOT NULL,
        status_name TEXT NOT NULL,
        row TEXT NOT NULL
      ) STRICT;
      CREATE TABLE campaign_payload (
        cid INTEGER NOT NULL PRIMARY KEY REFERENCES campaign (cid),
        json TEXT NOT NULL
      ) STRICT;

      CREATE INDEX campaign_by_cid ON campaign (uid, cid, status, type);
      CREATE INDEX campaign_by_status ON campaign (uid, status, cid, type);
      CREATE INDEX campaign_by_type_name ON campaign (uid, type_name, cid, status, type);
      CREATE INDEX campaign_by_name_folded ON campaign (uid, name_folded, cid, status, type);
      CREATE INDEX campaign_by_website ON campaign (uid, website, cid, status, type);
      CREATE INDEX campaign_by_geo ON campaign (uid, geo, cid, status, type);
      CREATE INDEX campaign_by_payout ON campaign (uid, payout, cid, status, type);
      CREATE INDEX campaign_by_d_revenue ON campaign (uid, d_revenue, cid, status, type);
      CREATE INDEX campaign_by_t_revenue ON campaign (uid, t_revenue, cid, status, type);
      CREATE INDEX campaign_by_daily_budget ON campaign (uid, daily_budget, cid, status, type);
      CREATE INDEX campaign_by_total_budget ON campaign (uid, total_budget, cid, status, type);
      CREATE INDEX campaign_by_bid_control_count ON campaign (uid, bid_control_count, cid, status, type);
      CREATE INDEX campaign_by_status_name ON campaign (uid, status_name, cid, status, type);
      CREATE INDEX campaign_by_type ON campaign (uid, type, cid, status);

      CREATE VIRTUAL TABLE campaign_name USING fts5 (
        name_folded, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1
      );
      CREATE TABLE campaign_count (
        uid INTEGER NOT NULL,
        status INTEGER NOT NULL,
        type INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (uid, status, type)
      ) STRICT, WITHOUT ROWID;

      CREATE TRIGGER campaign_added AFTER INSERT ON campaign BEGIN
        INSERT INTO campaign_name (rowid, name_folded) VALUES (NEW.uid * 4294967296 + NEW.cid, NEW.name_folded);
        INSERT INTO campaign_count VALUES (NEW.uid, NEW.status, NEW.type, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER campaign_renamed AFTER UPDATE OF name_folded ON campaign
        WHEN OLD.name_folded <> NEW.name_folded BEGIN
        UPDATE campaign_name SET name_folded = NEW.name_folded WHERE rowid = NEW.uid * 4294967296 + NEW.cid;
      END;
      CREATE TRIGGER campaign_moved AFTER UPDATE OF status, type ON campaign
        WHEN OLD.status <> NEW.status OR OLD.type <> NEW.type BEGIN
        UPDATE campaign_count SET count = count - 1 WHERE (uid, status, type) = (OLD.uid, OLD.status, OLD.type);
        INSERT INTO campaign_count VALUES (NEW.uid, NEW.status, NEW.type, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
    `);
  },
};
