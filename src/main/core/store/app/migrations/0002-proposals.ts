import type { Migration } from '../../sqlite/index.ts';

/** Proposals and the campaigns they touch. What a person approves is fixed at creation. */
export const proposals: Migration = {
  number: 2,
  name: 'proposals',
  up(db) {
    db.exec(`
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
        progress TEXT NOT NULL
      ) STRICT;
      CREATE INDEX proposal_open ON proposal (id)
        WHERE state IN ('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown');
      CREATE INDEX proposal_undecided ON proposal (expires_at_ms) WHERE state IN ('proposed', 'shown');

      CREATE TABLE proposal_target (
        cid INTEGER NOT NULL,
        proposal_id TEXT NOT NULL REFERENCES proposal (id),
        PRIMARY KEY (cid, proposal_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX proposal_target_by_proposal ON proposal_target (proposal_id);

      CREATE TRIGGER proposal_stays_what_was_asked
        BEFORE UPDATE OF id, operation, profile_id, created_at_ms, expires_at_ms, payload, base, nonce, fingerprint, origin
        ON proposal
        BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;
    `);
  },
};
