import { createOAuthTables } from '../../oauth-rows.ts';
import type { Migration } from '../../sqlite/stored-schema.ts';
import { campaignCopies, campaignNotes, drafts, uploads } from './campaign-work.ts';

const settingsAndSecrets = `
  CREATE TABLE setting (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE secret (
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (profile, name)
  ) STRICT, WITHOUT ROWID;`;

const ledger = `
  CREATE TABLE ledger (
    seq INTEGER NOT NULL PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    proposal_id TEXT,
    actor TEXT NOT NULL,
    via TEXT,
    summary TEXT NOT NULL,
    body TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;
  -- Every index ends with the row's number by itself: named, it is stored twice.
  CREATE INDEX ledger_by_proposal ON ledger (proposal_id) WHERE proposal_id IS NOT NULL;
  CREATE INDEX ledger_by_subject ON ledger (substr(kind, 1, instr(kind, '.') - 1));
  CREATE INDEX ledger_by_time ON ledger (at_ms);
  -- The last eight characters of an id are the random ones: they find its rows in half of the space.
  CREATE INDEX ledger_by_profile
    ON ledger (substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END, -8))
    WHERE substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END, -8) IS NOT NULL;
  CREATE INDEX ledger_by_agent
    ON ledger (substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END, -8))
    WHERE substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END, -8) IS NOT NULL;
  CREATE INDEX ledger_keys ON ledger (seq) WHERE kind = 'key.introduced';

  CREATE TRIGGER ledger_rows_stay BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'ledger rows are never removed'); END;
  CREATE TRIGGER ledger_rows_keep_their_words BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'ledger rows are never changed'); END;`;

const proposals = `
  CREATE TABLE proposal (
    id TEXT NOT NULL PRIMARY KEY,
    operation TEXT NOT NULL,
    state TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    intent_at_ms INTEGER,
    payload TEXT NOT NULL,
    base TEXT NOT NULL,
    nonce TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    origin TEXT NOT NULL,
    progress TEXT NOT NULL,
    agent_id TEXT,
    pruned_at_ms INTEGER,
    details BLOB,
    verdicts BLOB
  ) STRICT;
  CREATE INDEX proposal_open ON proposal (id)
    WHERE state IN ('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown');
  CREATE INDEX proposal_undecided ON proposal (expires_at_ms) WHERE state IN ('proposed', 'shown');
  CREATE INDEX proposal_by_agent ON proposal (agent_id, id) WHERE agent_id IS NOT NULL;
  CREATE INDEX proposal_prunable ON proposal (updated_at_ms, id) WHERE pruned_at_ms IS NULL
    AND state IN ('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale');

  CREATE TABLE proposal_target (
    cid INTEGER NOT NULL,
    proposal_id TEXT NOT NULL REFERENCES proposal (id),
    PRIMARY KEY (cid, proposal_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX proposal_target_by_proposal ON proposal_target (proposal_id);
  -- Finds the proposals that undo another one.
  CREATE INDEX proposal_by_undone ON proposal (json_extract(origin, '$.undoes.id'))
    WHERE json_extract(origin, '$.undoes.id') IS NOT NULL;

  CREATE TRIGGER proposal_stays_what_was_asked
    BEFORE UPDATE OF id, operation, profile_id, created_at_ms, expires_at_ms, payload, base, nonce, fingerprint, origin
    ON proposal
    BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;
  CREATE TRIGGER proposal_stays_whose_it_was BEFORE UPDATE OF agent_id ON proposal
    BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;
  CREATE TRIGGER proposal_stays_as_pruned BEFORE UPDATE OF pruned_at_ms, details ON proposal
    BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;`;

const statusChanges = `
  CREATE TABLE status_change (
    profile_id TEXT NOT NULL,
    cid INTEGER NOT NULL,
    before INTEGER,
    after INTEGER,
    at_ms INTEGER NOT NULL,
    by_kind TEXT NOT NULL CHECK (by_kind IN ('person', 'agent', 'schedule')),
    by_name TEXT NOT NULL,
    proposal_id TEXT NOT NULL,
    return_offered INTEGER NOT NULL CHECK (return_offered IN (0, 1)),
    PRIMARY KEY (profile_id, cid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX status_change_return ON status_change (profile_id, proposal_id) WHERE return_offered = 1;`;

const profiles = `
  CREATE TABLE profile (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    account TEXT NOT NULL,
    zone TEXT NOT NULL,
    base_url TEXT NOT NULL,
    api_url TEXT NOT NULL,
    mcp_url TEXT NOT NULL,
    remote_access TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE refresh_lease (
    profile TEXT NOT NULL PRIMARY KEY,
    taken_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE kept_row (
    profile TEXT NOT NULL,
    cid INTEGER NOT NULL,
    body TEXT NOT NULL,
    read_at_ms INTEGER NOT NULL,
    PRIMARY KEY (profile, cid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE kept_campaign (
    profile TEXT NOT NULL,
    cid INTEGER NOT NULL,
    body TEXT NOT NULL,
    read_at_ms INTEGER NOT NULL,
    PRIMARY KEY (profile, cid)
  ) STRICT, WITHOUT ROWID;`;

const agents = `
  CREATE TABLE agent (
    id TEXT NOT NULL PRIMARY KEY,
    client_id TEXT NOT NULL,
    name TEXT NOT NULL,
    redirect_host TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    admitted_at_ms INTEGER NOT NULL,
    grant_id TEXT,
    last_seen_at_ms INTEGER,
    ended_at_ms INTEGER,
    ended_because TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE agent_call (
    proposal_id TEXT NOT NULL PRIMARY KEY REFERENCES proposal (id),
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    idempotency_key TEXT,
    request_hash TEXT NOT NULL,
    receipt_at_ms INTEGER,
    answer TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX agent_call_by_key ON agent_call (agent_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

  CREATE TABLE refused_attempt (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    times INTEGER NOT NULL CHECK (times > 0),
    title TEXT NOT NULL,
    cids TEXT NOT NULL,
    campaign_count INTEGER NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX refused_attempt_profile ON refused_attempt (profile_id);

  CREATE TABLE prepared_change (
    agent_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    body TEXT NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    PRIMARY KEY (agent_id, approval_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tool_pin (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash TEXT,
    definition TEXT,
    pinned_at_ms INTEGER,
    treat_as TEXT NOT NULL,
    offered_hash TEXT,
    offered_definition TEXT,
    offered_at_ms INTEGER,
    changes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tool_change (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (profile_id, name, hash)
  ) STRICT, WITHOUT ROWID;`;

const reportNotes = `
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
  CREATE INDEX report_alert_event_profile ON report_alert_event (profile_id);`;

const firstRelease: Migration = {
  number: 12,
  name: 'first release',
  up(db) {
    db.exec(settingsAndSecrets);
    db.exec(ledger);
    db.exec(proposals);
    db.exec(statusChanges);
    db.exec(profiles);
    createOAuthTables(db);
    db.exec(agents);
    db.exec(reportNotes);
    db.exec(drafts);
    db.exec(uploads);
    db.exec(campaignNotes);
    db.exec(campaignCopies);
  },
};

/** Tools with the stored treatment `read` have to wait for approval again. */
const withoutTreatment: Migration = {
  number: 13,
  name: 'tool treatment by policy, links of proposals',
  up(db) {
    db.exec(`
      ALTER TABLE tool_pin ADD COLUMN is_tightened INTEGER NOT NULL DEFAULT 0 CHECK (is_tightened IN (0, 1));
      UPDATE tool_pin SET is_tightened = 1 WHERE treat_as = 'write';
      ALTER TABLE tool_pin DROP COLUMN treat_as;
      -- A start looks whether links between proposals end.
      CREATE INDEX proposal_replaced ON proposal (json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy'))
        WHERE json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy') IS NOT NULL;
      CREATE INDEX proposal_batches ON proposal (id) WHERE operation = 'batch';`);
  },
};

const withoutRehearsals: Migration = {
  number: 14,
  name: 'no rehearsals of drafts',
  up(db) {
    db.exec(`
      DROP TABLE rehearsal_disagreement;
      ALTER TABLE draft_review DROP COLUMN rehearsed;`);
  },
};

const packedLedgerRows: Migration = {
  number: 15,
  name: 'packed rows of the ledger',
  up(db) {
    db.exec(`
      ALTER TABLE ledger ADD COLUMN packed BLOB;
      DROP INDEX ledger_by_proposal;
      CREATE INDEX ledger_by_proposal ON ledger (substr(proposal_id, -8)) WHERE proposal_id IS NOT NULL;`);
  },
};

const pauseReturns: Migration = {
  number: 16,
  name: 'returns of timed pauses',
  up(db) {
    db.exec(`
      CREATE TABLE pause_return (
        pause_id TEXT NOT NULL PRIMARY KEY,
        id TEXT NOT NULL,
        profile_id TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        proposal_id TEXT,
        ended TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX pause_return_open ON pause_return (at_ms) WHERE proposal_id IS NULL AND ended IS NULL;`);
  },
};

export const appMigrations: readonly Migration[] = [
  firstRelease,
  withoutTreatment,
  withoutRehearsals,
  packedLedgerRows,
  pauseReturns,
];
