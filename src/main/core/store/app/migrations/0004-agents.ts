import { createOAuthTables } from '../../oauth/index.ts';
import type { Migration } from '../../sqlite/index.ts';

/** Agents and what they asked for, the pinned definitions of tools, and the OAuth storage of the gateway. */
export const agents: Migration = {
  number: 4,
  name: 'agents',
  up(db) {
    createOAuthTables(db);
    db.exec(`
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

      ALTER TABLE proposal ADD COLUMN agent_id TEXT;
      CREATE INDEX proposal_by_agent ON proposal (agent_id, id) WHERE agent_id IS NOT NULL;
      CREATE TRIGGER proposal_stays_whose_it_was BEFORE UPDATE OF agent_id ON proposal
        BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;

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
        PRIMARY KEY (profile_id, name)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
