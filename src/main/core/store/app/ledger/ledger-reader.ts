import type { Database } from '../../sqlite/index.ts';
import { ledgerColumns, type LedgerRow } from './ledger-row.ts';

/** Which rows a page holds; newest first. */
export interface LedgerPageQuery {
  /** Only rows before this one; null for the newest. */
  beforeSeq: number | null;
  limit: number;
  /** Only rows of this proposal; null for all. */
  proposalId: string | null;
}

export interface LedgerReader {
  /** Number of the last row: rows count from 1 without gaps, or the ledger does not verify. */
  count(): number;
  at(seq: number): LedgerRow | null;
  last(): LedgerRow | null;
  /** Rows that introduce a signing key, oldest first. */
  introductions(): LedgerRow[];
  /** The row with this hash. */
  withHash(hash: string): LedgerRow | null;
  /** Rows after `seq`, oldest first; after 0 whatever comes first, even with a number that no row may have. */
  after(seq: number, limit: number): LedgerRow[];
  page(query: LedgerPageQuery): { rows: LedgerRow[]; total: number };
}

/** Reads the ledger table of an app database, the open one or a file that is only looked at. */
export function createLedgerReader(db: Database): LedgerReader {
  const select = `SELECT ${ledgerColumns} FROM ledger`;
  const count = db.prepare<[], number>('SELECT max(seq) FROM ledger').pluck();
  const countOfProposal = db
    .prepare<[string], number>('SELECT count(*) FROM ledger WHERE proposal_id = ?')
    .pluck();
  const at = db.prepare<[number], LedgerRow>(`${select} WHERE seq = ?`);
  const last = db.prepare<[], LedgerRow>(`${select} ORDER BY seq DESC LIMIT 1`);
  const introductions = db.prepare<[], LedgerRow>(`${select} WHERE kind = 'key.introduced' ORDER BY seq`);
  const withHash = db.prepare<[string], LedgerRow>(`${select} WHERE hash = ?`);
  const after = db.prepare<[number, number], LedgerRow>(`${select} WHERE seq > ? ORDER BY seq LIMIT ?`);
  const first = db.prepare<[number], LedgerRow>(`${select} ORDER BY seq LIMIT ?`);
  const page = db.prepare<[number, number], LedgerRow>(`${select} WHERE seq < ? ORDER BY seq DESC LIMIT ?`);
  const pageOfProposal = db.prepare<[string, number, number], LedgerRow>(
    `${select} WHERE proposal_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );

  return {
    count: () => count.get() ?? 0,
    at: (seq) => at.get(seq) ?? null,
    last: () => last.get() ?? null,
    introductions: () => introductions.all(),
    withHash: (hash) => withHash.get(hash) ?? null,
    after: (seq, limit) => (seq === 0 ? first.all(limit) : after.all(seq, limit)),
    page({ beforeSeq, limit, proposalId }) {
      const before = beforeSeq ?? Number.MAX_SAFE_INTEGER;
      return proposalId === null
        ? { rows: page.all(before, limit), total: count.get() ?? 0 }
        : {
            rows: pageOfProposal.all(proposalId, before, limit),
            total: countOfProposal.get(proposalId) ?? 0,
          };
    },
  };
}
