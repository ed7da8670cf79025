import type BetterSqlite3 from 'better-sqlite3';
import type { LedgerFilter } from '#shared/app-api/index.ts';
import { type Database } from '../sqlite/database.ts';
import { ownSchema, type SchemaObject, schemaNumber } from '../sqlite/stored-schema.ts';
import { appMigrations } from './migrations/app-migrations.ts';
import { type FoundLedgerRow, type LedgerRow, packRow, unpackRow } from './packed-row.ts';

const ledgerColumns = `seq, at_ms AS atMs, kind, proposal_id AS proposalId, actor, via, summary, body,
  previous_hash AS previousHash, hash, key_id AS keyId, signature`;

const packedColumns = `packed,
  CASE WHEN packed IS NOT NULL THEN
    (SELECT iif(earlier.packed IS NULL, earlier.hash, lower(hex(substr(earlier.packed, 1, 32))))
     FROM ledger AS earlier WHERE earlier.seq = ledger.seq - 1) END AS hashBefore,
  CASE WHEN packed IS NOT NULL THEN
    (SELECT signing.key_id FROM ledger AS signing WHERE signing.kind = 'key.introduced' AND signing.seq <= ledger.seq
     ORDER BY signing.seq DESC LIMIT 1) END AS introducedKeyId`;

const firstPackedSchema = 15;

/** Checks the ledger's table. In a table with other constraints, or in a view, verified rows would prove nothing. */
interface LedgerSchema {
  isOwn(): boolean;
  isConsistent(): boolean;
}

// Includes triggers of other tables, because they may add rows to the ledger.
const definitions = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE lower(tbl_name) = 'ledger' OR lower(name) = 'ledger' OR (type = 'trigger' AND sql LIKE '%ledger%')
  ORDER BY type, name`;

function createLedgerSchema(db: Database): LedgerSchema {
  // A view or an index in a foreign file may call harmful functions.
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

export interface LedgerPageQuery {
  beforeSeq: number | null;
  limit: number;
  filter: LedgerFilter;
}

export interface LedgerPartQuery {
  afterSeq: number;
  untilSeq: number;
  limit: number;
  filter: LedgerFilter;
}

export interface LedgerReader extends LedgerSchema {
  count(): number;
  countRows(): number;
  at(seq: number): LedgerRow | null;
  last(): LedgerRow | null;
  introductions(): LedgerRow[];
  timesAfter(seq: number): number;
  withHash(hash: string): LedgerRow | null;
  /** 0 starts at the first row, even if that row has an invalid number. */
  after(seq: number, limit: number): LedgerRow[];
  page(query: LedgerPageQuery): { rows: LedgerRow[]; total: number };
  part(query: LedgerPartQuery): LedgerRow[];
  profileIds(): string[];
  countUntil(untilSeq: number, filter: LedgerFilter): number;
}

/** Only an edited row has a number beyond the safe integers, and such a row does not verify. */
function safeNumber(seq: number): number {
  return Math.min(Math.max(seq, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function rowFrom(found: FoundLedgerRow): LedgerRow {
  const row = unpackRow(found);
  return Number.isSafeInteger(row.seq) ? row : { ...row, seq: safeNumber(row.seq) };
}

export function createLedgerReader(db: Database): LedgerReader {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const hasPacked = schemaNumber(db) >= firstPackedSchema;
  const unpacked = 'NULL AS packed, NULL AS hashBefore, NULL AS introducedKeyId';
  const select = `SELECT ${ledgerColumns}, ${hasPacked ? packedColumns : unpacked} FROM ledger`;

  /** Prepares on first use: a foreign table must not prevent the start. */
  function prepared(sql: string): BetterSqlite3.Statement {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const numberOf = (sql: string, ...values: number[]): number =>
    safeNumber(Object.values(prepared(sql).get(...values) as Record<string, number>)[0] ?? 0);
  const rowOf = (rest: string, ...values: (number | { hash: string })[]): LedgerRow | null => {
    const row = prepared(`${select} ${rest}`).get(...values) as FoundLedgerRow | undefined;
    return row === undefined ? null : rowFrom(row);
  };
  const rowsBy = (rest: string, ...values: number[]): LedgerRow[] =>
    (prepared(`${select} ${rest}`).all(...values) as FoundLedgerRow[]).map(rowFrom);

  function rowsOf(
    filter: LedgerFilter,
    window: RowWindow,
    { order, limit }: { order: string; limit: number },
  ) {
    const { where, values } = conditionOf(filter, window);
    const sql = `${select} ${where} ORDER BY seq ${order} LIMIT :limit`;
    return (prepared(sql).all({ ...values, limit }) as FoundLedgerRow[]).map(rowFrom);
  }

  function countOf(filter: LedgerFilter, window: RowWindow): number {
    const { where, values } = conditionOf(filter, window);
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
    withHash: (hash) =>
      rowOf(`WHERE hash = :hash ${hasPacked ? 'OR lower(hex(substr(packed, 1, 32))) = :hash' : ''}`, {
        hash,
      }),
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
  (seq, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash, key_id, signature, packed)
  VALUES (:seq, :atMs, :kind, :proposalId, :actor, :via, :summary, :body, :previousHash, :hash, :keyId, :signature, :packed)`;

export function createLedgerWriter(db: Database): LedgerWriter {
  let statement: BetterSqlite3.Statement | null = null;
  return {
    append(row) {
      // Prepared on first use: a table that accepts no row must not prevent the start.
      statement ??= db.prepare(insert);
      statement.run(packRow(row));
    },
  };
}

interface Condition {
  where: string;
  values: Record<string, string | number>;
}

// Must be spelled as in the indexes of migrations/app-migrations.ts, or SQLite does not use them.
const subject = "substr(kind, 1, instr(kind, '.') - 1)";
const profile = "CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END";
const profileEnding = `substr(${profile}, -8)`;
const agentEnding = "substr(CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END, -8)";

const terms: Readonly<Record<keyof LedgerFilter, string>> = {
  proposalId: 'substr(proposal_id, -8) = substr(:proposalId, -8) AND proposal_id = :proposalId',
  // The last characters of an id are random, so the index on them suffices for a count.
  profileId: `${profileEnding} = substr(:profileId, -8)`,
  agentId: `${agentEnding} = substr(:agentId, -8)`,
  about: `${subject} = :about`,
  cid: `substr(proposal_id, -8) IN (SELECT substr(proposal_id, -8) FROM proposal_target WHERE cid = :cid)
    AND proposal_id IN (SELECT proposal_id FROM proposal_target WHERE cid = :cid)`,
  fromMs: 'at_ms >= :fromMs',
  untilMs: 'at_ms < :untilMs',
};

interface RowWindow {
  beforeSeq?: number | null;
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
