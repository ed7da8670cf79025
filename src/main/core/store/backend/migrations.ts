import type { Migration } from '../sqlite/stored-schema.ts';
import { createOAuthTables } from '../oauth-rows.ts';

const membersAndCampaigns = `
  CREATE TABLE member (
    uid INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    balance_micros INTEGER NOT NULL,
    mcp_menu INTEGER NOT NULL,
    modules TEXT NOT NULL
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
    row TEXT NOT NULL,
    is_unapproved INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE campaign_payload (
    cid INTEGER NOT NULL PRIMARY KEY REFERENCES campaign (cid),
    json TEXT NOT NULL
  ) STRICT;`;

const xmlSums = `
  gross_requests INTEGER NOT NULL,
  gross_clicks INTEGER NOT NULL,
  gross_valid INTEGER NOT NULL,
  gross_invalid INTEGER NOT NULL,
  gross_revenue_micros INTEGER NOT NULL,
  net_requests INTEGER NOT NULL,
  net_clicks INTEGER NOT NULL,
  net_revenue_micros INTEGER NOT NULL`;

/** Stores sums per grouping, so that a query over a year reads only as many rows as it returns. */
const statistics = `
  CREATE TABLE traffic_source (
    tid INTEGER NOT NULL PRIMARY KEY,
    uid INTEGER NOT NULL REFERENCES member (uid)
  ) STRICT;

  CREATE TABLE feed (
    feed INTEGER NOT NULL PRIMARY KEY,
    uid INTEGER NOT NULL REFERENCES member (uid)
  ) STRICT;

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
  ) STRICT, WITHOUT ROWID;`;

const operations = `
  CREATE TABLE approval (
    id TEXT NOT NULL PRIMARY KEY,
    uid INTEGER NOT NULL REFERENCES member (uid),
    owner TEXT NOT NULL,
    grant_id TEXT,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    payload TEXT NOT NULL,
    revision TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    used INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE approval_file (
    approval_id TEXT NOT NULL PRIMARY KEY REFERENCES approval (id) ON DELETE CASCADE,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TABLE operation (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    payload TEXT,
    committed_at_ms INTEGER NOT NULL,
    answer TEXT,
    UNIQUE (owner, idempotency_key)
  ) STRICT;

  CREATE TABLE picture (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    content_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE TABLE picture_owner (
    uid INTEGER NOT NULL REFERENCES member (uid),
    picture_id INTEGER NOT NULL REFERENCES picture (id),
    PRIMARY KEY (uid, picture_id)
  ) STRICT, WITHOUT ROWID;`;

/** The unique key of `task_run` prevents a second run for one due time. */
const tasks = `
  CREATE TABLE task (
    id TEXT NOT NULL PRIMARY KEY,
    uid INTEGER NOT NULL REFERENCES member (uid),
    client_id TEXT NOT NULL,
    grant_id TEXT,
    scopes TEXT NOT NULL,
    definition TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at_ms INTEGER NOT NULL,
    next_due_at_ms INTEGER,
    approval TEXT,
    approval_expires_at_ms INTEGER
  ) STRICT;

  CREATE TABLE task_run (
    id TEXT NOT NULL PRIMARY KEY,
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    due_at_ms INTEGER NOT NULL,
    ran_at_ms INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    row_count INTEGER,
    byte_count INTEGER,
    UNIQUE (task_id, due_at_ms)
  ) STRICT;

  CREATE TABLE task_file (
    run_id TEXT NOT NULL PRIMARY KEY REFERENCES task_run (id) ON DELETE CASCADE,
    content_type TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;`;

/** Begins after 7, because builds before the first release used the numbers 1 to 7. */
const firstRelease: Migration = {
  number: 8,
  name: 'first release',
  up(db) {
    db.exec(membersAndCampaigns);
    createOAuthTables(db);
    db.exec(statistics);
    db.exec(operations);
    db.exec(tasks);
  },
};

const campaignIndexes: Migration = {
  number: 9,
  name: 'campaigns by owner and status',
  up: (db) =>
    db.exec(`
      CREATE INDEX campaign_by_owner ON campaign (uid);
      CREATE INDEX campaign_by_status ON campaign (uid, row ->> '$.status');`),
};

export const backendMigrations: readonly Migration[] = [firstRelease, campaignIndexes];
