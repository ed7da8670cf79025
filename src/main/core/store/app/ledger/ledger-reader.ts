import type BetterSqlite3 from 'better-sqlite3';
import type { LedgerFilter } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { conditionOf, profilesSql, type Window } from './ledger-filter.ts';
import { ledgerColumns, type LedgerRow } from './ledger-row.ts';
import { createLedgerSchema, type LedgerSchema } from './ledger-schema.ts';

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

export interface LedgerReader extends LedgerSchema {
  /** Number of the last row: rows count from 1 without gaps, or the ledger does not verify. */
  count(): number;
  /** How many rows there are, whatever their numbers; counts each of them. */
  countRows(): number;
  at(seq: number): LedgerRow | null;
  last(): LedgerRow | null;
  /** Rows that introduce a signing key, oldest first. */
  introductions(): LedgerRow[];
  /** How many times there are among the rows after `seq`, without those that introduce a key. */
  timesAfter(seq: number): number;
  /** The row with this hash. */
  withHash(hash: string): LedgerRow | null;
  /** Rows after `seq`, oldest first; after 0 whatever comes first, even with a number that no row may have. */
  after(seq: number, limit: number): LedgerRow[];
  page(query: LedgerPageQuery): { rows: LedgerRow[]; total: number };
  part(query: LedgerPartQuery): LedgerRow[];
  /** The ids of all profiles that rows are about. */
  profileIds(): string[];
  /** How many rows up to `untilSeq` pass the filter. */
  countUntil(untilSeq: number, filter: LedgerFilter): number;
}

const select = `SELECT ${ledgerColumns} FROM ledger`;

/** Reads the ledger table of an app database, the open one or a file that is only looked at. */
export function createLedgerReader(db: Database): LedgerReader {
  const statements = new Map<string, BetterSqlite3.Statement>();

  /** Prepared when first asked for: the table may be another one than this program makes, which is not to end a start. */
  function prepared(sql: string): BetterSqlite3.Statement {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const numberOf = (sql: string, ...values: number[]): number =>
    Object.values(prepared(sql).get(...values) as Record<string, number>)[0] ?? 0;
  const rowOf = (rest: string, ...values: (string | number)[]): LedgerRow | null =>
    (prepared(`${select} ${rest}`).get(...values) as LedgerRow | undefined) ?? null;
  const rowsBy = (rest: string, ...values: (string | number)[]): LedgerRow[] =>
    prepared(`${select} ${rest}`).all(...values) as LedgerRow[];

  function rowsOf(filter: LedgerFilter, window: Window, { order, limit }: { order: string; limit: number }) {
    const { where, values } = conditionOf(filter, window);
    const sql = `${select} ${where} ORDER BY seq ${order} LIMIT :limit`;
    return prepared(sql).all({ ...values, limit }) as LedgerRow[];
  }

  function countOf(filter: LedgerFilter, window: Window): number {
    const { where, values } = conditionOf(filter, window);
    // Rows count without gaps, so the ledger's whole length is not counted.
    if (where === '') return count();
    const { rows } = prepared(`SELECT count(*) AS rows FROM ledger ${where}`).get(values) as { rows: number };
    return rows;
  }

  const count = (): number => numberOf('SELECT max(seq) FROM ledger');

  return {
    ...createLedgerSchema(db),
    count,
    countRows: () => numberOf('SELECT count(*) FROM ledger'),
    at: (seq) => rowOf('WHERE seq = ?', seq),
    last: () => rowOf('ORDER BY seq DESC LIMIT 1'),
    introductions: () => rowsBy("WHERE kind = 'key.introduced' ORDER BY seq"),
    timesAfter: (seq) =>
      numberOf("SELECT count(DISTINCT at_ms) FROM ledger WHERE seq > ? AND kind <> 'key.introduced'", seq),
    withHash: (hash) => rowOf('WHERE hash = ?', hash),
    after: (seq, limit) =>
      seq === 0
        ? rowsBy('ORDER BY seq LIMIT ?', limit)
        : rowsBy('WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit),
    page: ({ beforeSeq, limit, filter }) => ({
      rows: rowsOf(filter, { beforeSeq }, { order: 'DESC', limit }),
      total: countOf(filter, {}),
    }),
    part: ({ afterSeq, untilSeq, limit, filter }) =>
      rowsOf(filter, { afterSeq, untilSeq }, { order: 'ASC', limit }),
    profileIds: () => (prepared(profilesSql).all() as { id: string }[]).map(({ id }) => id),
    countUntil: (untilSeq, filter) => countOf(filter, { untilSeq }),
  };
}
