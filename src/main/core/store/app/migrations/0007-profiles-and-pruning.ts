import type { Migration } from '../../sqlite/index.ts';

/**
 * The ledger by profile, and its indexes in less space; details and verdicts of a proposal compressed; and when the details of a
 * settled one were removed. Such a row takes the place of the whole one: none is ever changed.
 */
export const profilesAndPruning: Migration = {
  number: 7,
  name: 'ledger by profile, details of settled proposals removed',
  up(db) {
    db.exec(`
      -- Every index ends with the row's number by itself: named, it is stored twice.
      DROP INDEX ledger_by_proposal;
      DROP INDEX ledger_by_subject;
      DROP INDEX ledger_by_agent;
      DROP INDEX ledger_by_time;
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

      ALTER TABLE proposal ADD COLUMN pruned_at_ms INTEGER;
      ALTER TABLE proposal ADD COLUMN details BLOB;
      ALTER TABLE proposal ADD COLUMN verdicts BLOB;
      CREATE INDEX proposal_prunable ON proposal (updated_at_ms, id) WHERE pruned_at_ms IS NULL
        AND state IN ('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale');

      CREATE TRIGGER proposal_stays_as_pruned BEFORE UPDATE OF pruned_at_ms, details ON proposal
        BEGIN SELECT RAISE(ABORT, 'a proposal is never changed, only its state'); END;
    `);
  },
};
