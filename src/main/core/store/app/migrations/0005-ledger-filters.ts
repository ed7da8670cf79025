import type { Migration } from '../../sqlite/index.ts';

/**
 * Ways into the ledger: by what a row is about, by its agent, and by its time. A body that is no JSON, because somebody
 * edited it, has no agent and stays readable for the verifier.
 */
export const ledgerFilters: Migration = {
  number: 5,
  name: 'ways into the ledger',
  up(db) {
    db.exec(`
      CREATE INDEX ledger_by_subject ON ledger (substr(kind, 1, instr(kind, '.') - 1), seq);
      CREATE INDEX ledger_by_agent
        ON ledger (CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END, seq)
        WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END IS NOT NULL;
      CREATE INDEX ledger_by_time ON ledger (at_ms, seq);
    `);
  },
};
