import type { Migration } from '../../sqlite/index.ts';

const xmlSums = `
  gross_requests INTEGER NOT NULL,
  gross_clicks INTEGER NOT NULL,
  gross_valid INTEGER NOT NULL,
  gross_invalid INTEGER NOT NULL,
  gross_revenue_micros INTEGER NOT NULL,
  net_requests INTEGER NOT NULL,
  net_clicks INTEGER NOT NULL,
  net_revenue_micros INTEGER NOT NULL`;

/**
 * Traffic sources, feeds, publisher keys (hashed) and their statistics. What a report groups by has sums of its own, so
 * that a year costs as many rows as it shows, however much lies below.
 */
export const statistics: Migration = {
  number: 4,
  name: 'publishers and statistics',
  up(db) {
    db.exec(`
      CREATE TABLE traffic_source (
        tid INTEGER NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid)
      ) STRICT;
      CREATE INDEX traffic_source_by_uid ON traffic_source (uid, tid);

      CREATE TABLE feed (
        feed INTEGER NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid)
      ) STRICT;
      CREATE INDEX feed_by_uid ON feed (uid, feed);

      CREATE TABLE publisher_key (
        hash TEXT NOT NULL PRIMARY KEY,
        uid INTEGER NOT NULL REFERENCES member (uid),
        scopes TEXT NOT NULL,
        tids TEXT,
        feeds TEXT,
        is_demo INTEGER NOT NULL,
        is_revoked INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE statistics_day (day TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

      CREATE TABLE xml_traffic (
        tid INTEGER NOT NULL, day TEXT NOT NULL, geo TEXT NOT NULL, subid TEXT NOT NULL, ${xmlSums},
        PRIMARY KEY (tid, day, geo, subid)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE xml_by_day (
        tid INTEGER NOT NULL, day TEXT NOT NULL, ${xmlSums}, PRIMARY KEY (tid, day)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE xml_by_geo (
        tid INTEGER NOT NULL, day TEXT NOT NULL, geo TEXT NOT NULL, ${xmlSums}, PRIMARY KEY (tid, day, geo)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE xml_by_subid (
        tid INTEGER NOT NULL, day TEXT NOT NULL, subid TEXT NOT NULL, ${xmlSums}, PRIMARY KEY (tid, day, subid)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE search_traffic (
        feed INTEGER NOT NULL,
        day TEXT NOT NULL,
        geo TEXT NOT NULL,
        subid TEXT NOT NULL,
        total INTEGER NOT NULL,
        monetized INTEGER NOT NULL,
        clicks INTEGER NOT NULL,
        revenue_micros INTEGER NOT NULL,
        PRIMARY KEY (feed, day, geo, subid)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE search_count (
        feed INTEGER NOT NULL, day TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (feed, day)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
