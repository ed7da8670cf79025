import type { Migration } from '../../sqlite/index.ts';

/**
 * The ledger by profile; and when the details of a settled proposal were removed. Such a row takes the place of the whole one:
 * none is ever changed.
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

      CREATE TRIGGER proposal_stays_as_pruned BEFORE UPDATE OF pruned_at_ms ON proposal
        BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;
    `);
  },
};
