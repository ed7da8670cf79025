import type { Database } from '../../sqlite/index.ts';
import type { LedgerRow } from './ledger-row.ts';

export interface LedgerWriter {
  append(row: LedgerRow): void;
}

/** Adds rows to the ledger table; there is no other way to write it. */
export function createLedgerWriter(db: Database): LedgerWriter {
  const insert = db.prepare<LedgerRow>(
    `INSERT INTO ledger (seq, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash, key_id, signature)
     VALUES (:seq, :atMs, :kind, :proposalId, :actor, :via, :summary, :body, :previousHash, :hash, :keyId, :signature)`,
  );
  return { append: (row) => void insert.run(row) };
}
