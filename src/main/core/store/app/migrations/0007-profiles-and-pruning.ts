import type { Migration } from '../../sqlite/index.ts';

/**
 * The ledger by profile; and proposals whose details were removed after a while, which is the only change that what was
 * asked ever sees. Only a settled one may lose them, all at once, and it says when.
 */
export const profilesAndPruning: Migration = {
  number: 7,
  name: 'ledger by profile, details of settled proposals removed',
  up(db) {
    db.exec(`
      CREATE INDEX ledger_by_profile
        ON ledger (CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END, seq)
        WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END IS NOT NULL;

      ALTER TABLE proposal ADD COLUMN pruned_at_ms INTEGER;
      CREATE INDEX proposal_prunable ON proposal (updated_at_ms, id) WHERE pruned_at_ms IS NULL
        AND state IN ('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale');

      DROP TRIGGER proposal_stays_what_was_asked;
      CREATE TRIGGER proposal_stays_what_was_asked
        BEFORE UPDATE OF id, operation, profile_id, created_at_ms, expires_at_ms, payload, base, nonce, fingerprint, origin,
          pruned_at_ms ON proposal
        WHEN NOT (
          OLD.state IN ('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale')
          AND OLD.pruned_at_ms IS NULL AND NEW.pruned_at_ms IS NOT NULL AND NEW.payload = '' AND NEW.base = ''
          AND (NEW.id, NEW.operation, NEW.state, NEW.profile_id, NEW.created_at_ms, NEW.expires_at_ms, NEW.nonce,
            NEW.fingerprint, NEW.origin)
            = (OLD.id, OLD.operation, OLD.state, OLD.profile_id, OLD.created_at_ms, OLD.expires_at_ms, OLD.nonce,
            OLD.fingerprint, OLD.origin))
        BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state, until its details go'); END;
    `);
  },
};
