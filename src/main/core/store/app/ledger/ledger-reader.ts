import type { LedgerFilter } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { conditionOf, type Window } from './ledger-filter.ts';
import { ledgerColumns, type LedgerRow } from './ledger-row.ts';

/** Which rows a page holds; newest first. */
export interface LedgerPageQuery {
  /** Only rows before this one; null for the newest. */
  beforeSeq: number | null;
  limit: number;
  filter: LedgerFilter;
}

/** Which rows a part of an export holds; oldest first. */
export interface LedgerPartQuery {
  afterSeq: number;
  /** The last row that the export may hold. */
  untilSeq: number;
  limit: number;
  filter: LedgerFilter;
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
  part(query: LedgerPartQuery): LedgerRow[];
  /** How many rows up to `untilSeq` pass the filter. */
  countUntil(untilSeq: number, filter: LedgerFilter): number;
}

/** Reads the ledger table of an app database, the open one or a file that is only looked at. */
export function createLedgerReader(db: Database): LedgerReader {
  const select = `SELECT ${ledgerColumns} FROM ledger`;
  const count = db.prepare<[], number>('SELECT max(seq) FROM ledger').pluck();
  const at = db.prepare<[number], LedgerRow>(`${select} WHERE seq = ?`);
  const last = db.prepare<[], LedgerRow>(`${select} ORDER BY seq DESC LIMIT 1`);
  const introductions = db.prepare<[], LedgerRow>(`${select} WHERE kind = 'key.introduced' ORDER BY seq`);
  const withHash = db.prepare<[string], LedgerRow>(`${select} WHERE hash = ?`);
  const after = db.prepare<[number, number], LedgerRow>(`${select} WHERE seq > ? ORDER BY seq LIMIT ?`);
  const first = db.prepare<[number], LedgerRow>(`${select} ORDER BY seq LIMIT ?`);
  const statements = new Map<string, ReturnType<typeof db.prepare>>();

  /** Prepared when first asked for: a file that is only verified may be older than what its filters need. */
  function prepared(sql: string) {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function rowsOf(filter: LedgerFilter, window: Window, { order, limit }: { order: string; limit: number }) {
    const { where, values } = conditionOf(filter, window);
    const sql = `${select} ${where} ORDER BY seq ${order} LIMIT :limit`;
    return prepared(sql).all({ ...values, limit }) as LedgerRow[];
  }

  function countOf(filter: LedgerFilter, window: Window): number {
    const { where, values } = conditionOf(filter, window);
    // Rows count without gaps, so the ledger's whole length is not counted.
    if (where === '') return count.get() ?? 0;
    const { rows } = prepared(`SELECT count(*) AS rows FROM ledger ${where}`).get(values) as { rows: number };
    return rows;
  }

  return {
    count: () => count.get() ?? 0,
    at: (seq) => at.get(seq) ?? null,
    last: () => last.get() ?? null,
    introductions: () => introductions.all(),
    withHash: (hash) => withHash.get(hash) ?? null,
    after: (seq, limit) => (seq === 0 ? first.all(limit) : after.all(seq, limit)),
    page: ({ beforeSeq, limit, filter }) => ({
      rows: rowsOf(filter, { beforeSeq }, { order: 'DESC', limit }),
      total: countOf(filter, {}),
    }),
    part: ({ afterSeq, untilSeq, limit, filter }) =>
      rowsOf(filter, { afterSeq, untilSeq }, { order: 'ASC', limit }),
    countUntil: (untilSeq, filter) => countOf(filter, { untilSeq }),
  };
}
