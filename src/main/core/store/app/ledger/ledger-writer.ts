import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../../sqlite/index.ts';
import type { LedgerRow } from './ledger-reader.ts';

export interface LedgerWriter {
  append(row: LedgerRow): void;
}

const insert = `INSERT INTO ledger
  (seq, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash, key_id, signature)
  VALUES (:seq, :atMs, :kind, :proposalId, :actor, :via, :summary, :body, :previousHash, :hash, :keyId, :signature)`;

/** Adds rows to the ledger table; there is no other way to write it. */
export function createLedgerWriter(db: Database): LedgerWriter {
  let statement: BetterSqlite3.Statement | null = null;
  return {
    append(row) {
      // Prepared for the first row: a table that takes none is not to end a start.
      statement ??= db.prepare(insert);
      statement.run(row);
    },
  };
}
