import type BetterSqlite3 from 'better-sqlite3';
import type { LedgerFilter } from '#shared/app-api/index.ts';
import { type Database } from '../sqlite/database.ts';
import { ownSchema, type SchemaObject, schemaNumber } from '../sqlite/stored-schema.ts';
import { appMigrations } from './migrations/app-migrations.ts';

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

const ledgerColumns = `seq, at_ms AS atMs, kind, proposal_id AS proposalId, actor, via, summary, body,
  previous_hash AS previousHash, hash, key_id AS keyId, signature`;

/**
 * Compares the ledger's part of a file with what the migrations make: in a looser table, or a view, no walk over rows
 * proves anything.
 */
interface LedgerSchema {
  /** True if the table, its indexes and every trigger that names it are those of the file's schema, letter by letter. */
  isOwn(): boolean;
  /** True if the table agrees with its indexes. Reads all of it. */
  isConsistent(): boolean;
}

// A trigger of another table may add rows as well, and names the ledger then.
const definitions = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE lower(tbl_name) = 'ledger' OR lower(name) = 'ledger' OR (type = 'trigger' AND sql LIKE '%ledger%')
  ORDER BY type, name`;

function createLedgerSchema(db: Database): LedgerSchema {
  // A view or an index that another program made may call harmful functions; none of ours needs that right.
  db.pragma('trusted_schema = OFF');
  const found = db.prepare<[], SchemaObject>(definitions);
  const expected = JSON.stringify(definitionsAt(schemaNumber(db)));
  return {
    isOwn: () => JSON.stringify(found.all()) === expected,
    isConsistent: () => db.pragma('integrity_check(ledger)', { simple: true }) === 'ok',
  };
}

function definitionsAt(schema: number): SchemaObject[] | null {
  if (!appMigrations.some(({ number }) => number === schema)) return null;
  return ownSchema(appMigrations, schema).objects.filter(
    ({ type, name, tbl_name: table, sql }) =>
      name === 'ledger' || table === 'ledger' || (type === 'trigger' && sql?.includes('ledger') === true),
  );
}

/** The rows of a page; newest first. */
export interface LedgerPageQuery {
  /** Only rows before this one; null for the newest. */
  beforeSeq: number | null;
  limit: number;
  filter: LedgerFilter;
}

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
  /** Number of rows, whatever their sequence numbers; counts each of them. */
  countRows(): number;
  at(seq: number): LedgerRow | null;
  last(): LedgerRow | null;
  /** Rows that introduce a signing key, oldest first. */
  introductions(): LedgerRow[];
  /** Number of different times among the rows after `seq`, without those that introduce a key. */
  timesAfter(seq: number): number;
  withHash(hash: string): LedgerRow | null;
  /** Rows after `seq`, oldest first; after 0 whatever comes first, even with a number that no row may have. */
  after(seq: number, limit: number): LedgerRow[];
  page(query: LedgerPageQuery): { rows: LedgerRow[]; total: number };
  part(query: LedgerPartQuery): LedgerRow[];
  profileIds(): string[];
  countUntil(untilSeq: number, filter: LedgerFilter): number;
}

const select = `SELECT ${ledgerColumns} FROM ledger`;

/** The nearest number that pages can count with: only an edited row has another one, and is found broken by its content. */
function safeNumber(seq: number): number {
  return Math.min(Math.max(seq, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function safeRow(row: LedgerRow): LedgerRow {
  return Number.isSafeInteger(row.seq) ? row : { ...row, seq: safeNumber(row.seq) };
}

export function createLedgerReader(db: Database): LedgerReader {
  const statements = new Map<string, BetterSqlite3.Statement>();

  /** Prepared when first asked for: the table may be another one than this program makes, which is not to end a start. */
  function prepared(sql: string): BetterSqlite3.Statement {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const numberOf = (sql: string, ...values: number[]): number =>
    safeNumber(Object.values(prepared(sql).get(...values) as Record<string, number>)[0] ?? 0);
  const rowOf = (rest: string, ...values: (string | number)[]): LedgerRow | null => {
    const row = prepared(`${select} ${rest}`).get(...values) as LedgerRow | undefined;
    return row === undefined ? null : safeRow(row);
  };
  const rowsBy = (rest: string, ...values: (string | number)[]): LedgerRow[] =>
    (prepared(`${select} ${rest}`).all(...values) as LedgerRow[]).map(safeRow);

  function rowsOf(
    filter: LedgerFilter,
    window: RowWindow,
    { order, limit }: { order: string; limit: number },
  ) {
    const { where, values } = conditionOf(filter, window);
    const sql = `${select} ${where} ORDER BY seq ${order} LIMIT :limit`;
    return (prepared(sql).all({ ...values, limit }) as LedgerRow[]).map(safeRow);
  }

  function countOf(filter: LedgerFilter, window: RowWindow): number {
    const { where, values } = conditionOf(filter, window);
    // Sequence numbers have no gaps, so the length of the ledger need not be counted.
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

export interface LedgerWriter {
  append(row: LedgerRow): void;
}

const insert = `INSERT INTO ledger
  (seq, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash, key_id, signature)
  VALUES (:seq, :atMs, :kind, :proposalId, :actor, :via, :summary, :body, :previousHash, :hash, :keyId, :signature)`;

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

interface Condition {
  /** SQL that begins with WHERE, or nothing where no row is left out. */
  where: string;
  values: Record<string, string | number>;
}

// Word by word the expressions of the ledger's indexes (migrations/app-migrations.ts); SQLite uses an index only then.
const subject = "substr(kind, 1, instr(kind, '.') - 1)";
const profile = "CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END";
const profileEnding = `substr(${profile}, -8)`;
const agentEnding = "substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END, -8)";

const terms: Readonly<Record<keyof LedgerFilter, string>> = {
  proposalId: 'proposal_id = :proposalId',
  // Ids differ in their random last characters, so a count reads the index alone.
  profileId: `${profileEnding} = substr(:profileId, -8)`,
  agentId: `${agentEnding} = substr(:agentId, -8)`,
  about: `${subject} = :about`,
  cid: 'proposal_id IN (SELECT proposal_id FROM proposal_target WHERE cid = :cid)',
  fromMs: 'at_ms >= :fromMs',
  untilMs: 'at_ms < :untilMs',
};

interface RowWindow {
  beforeSeq?: number | null;
  /** Only rows after this one, up to and including `untilSeq`. */
  afterSeq?: number;
  untilSeq?: number;
}

const edges: Readonly<Record<keyof RowWindow, string>> = {
  beforeSeq: 'seq < :beforeSeq',
  afterSeq: 'seq > :afterSeq',
  untilSeq: 'seq <= :untilSeq',
};

export function conditionOf(filter: LedgerFilter, window: RowWindow): Condition {
  const named = Object.entries({ ...filter, ...window }).filter(([, value]) => value !== null);
  const values = Object.fromEntries(named) as Condition['values'];
  const all: Record<string, string> = { ...terms, ...edges };
  const conditions = Object.entries(all).flatMap(([name, sql]) => (name in values ? [sql] : []));
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

const profilesSql = `WITH RECURSIVE named (ending) AS (
    SELECT min(${profileEnding}) FROM ledger WHERE ${profileEnding} IS NOT NULL
    UNION ALL
    SELECT (SELECT min(${profileEnding}) FROM ledger WHERE ${profileEnding} > named.ending)
      FROM named WHERE named.ending IS NOT NULL
  ) SELECT (SELECT ${profile} FROM ledger WHERE ${profileEnding} = named.ending LIMIT 1) AS id
    FROM named WHERE ending IS NOT NULL`;
