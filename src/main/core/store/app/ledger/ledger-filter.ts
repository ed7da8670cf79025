import type { LedgerFilter } from '#shared/app-api/index.ts';

/** A condition on the ledger's rows, with the values of its named parameters. */
export interface Condition {
  /** SQL that begins with WHERE, or nothing where no row is left out. */
  where: string;
  values: Record<string, string | number>;
}

// Word by word the expressions of the ledger's indexes (migrations/0012); SQLite uses an index only then.
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

/** Further conditions, for pages and parts of an export. */
export interface Window {
  /** Only rows before this one. */
  beforeSeq?: number | null;
  /** Only rows after this one, up to and including `untilSeq`. */
  afterSeq?: number;
  untilSeq?: number;
}

const edges: Readonly<Record<keyof Window, string>> = {
  beforeSeq: 'seq < :beforeSeq',
  afterSeq: 'seq > :afterSeq',
  untilSeq: 'seq <= :untilSeq',
};

/** The rows that pass the filter, inside the window. */
export function conditionOf(filter: LedgerFilter, window: Window): Condition {
  const named = Object.entries({ ...filter, ...window }).filter(([, value]) => value !== null);
  const values = Object.fromEntries(named) as Condition['values'];
  const all: Record<string, string> = { ...terms, ...edges };
  const conditions = Object.entries(all).flatMap(([name, sql]) => (name in values ? [sql] : []));
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

/** Every profile that a row names, each once, by one step through the index for each. */
export const profilesSql = `WITH RECURSIVE named (ending) AS (
    SELECT min(${profileEnding}) FROM ledger WHERE ${profileEnding} IS NOT NULL
    UNION ALL
    SELECT (SELECT min(${profileEnding}) FROM ledger WHERE ${profileEnding} > named.ending)
      FROM named WHERE named.ending IS NOT NULL
  ) SELECT (SELECT ${profile} FROM ledger WHERE ${profileEnding} = named.ending LIMIT 1) AS id
    FROM named WHERE ending IS NOT NULL`;
