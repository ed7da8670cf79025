/** One row of the ledger as it is stored (docs/ledger-format.md). */
export interface LedgerRow {
  /** Counts from 1 without gaps. */
  seq: number;
  atMs: number;
  kind: string;
  proposalId: string | null;
  actor: string;
  via: string | null;
  summary: string;
  /** The body's canonical JSON text: exactly what was hashed. */
  body: string;
  /** Hash of the row before, 64 hexadecimal digits; zeros for the first row. */
  previousHash: string;
  hash: string;
  keyId: string;
  /** Ed25519 over the 32 bytes of `hash`, base64url. */
  signature: string;
}

/** Every column under its domain name, in the order of the table. */
export const ledgerColumns = `seq, at_ms AS atMs, kind, proposal_id AS proposalId, actor, via, summary, body,
  previous_hash AS previousHash, hash, key_id AS keyId, signature`;
