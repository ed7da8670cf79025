import type { LedgerFilter } from '#shared/app-api/index.ts';

/** A condition on the ledger's rows, with the values of its named parameters. */
export interface Condition {
  /** SQL that begins with WHERE, or nothing where no row is left out. */
  where: string;
  values: Record<string, string | number>;
}

// Word by word the expressions of migrations 5 and 7; SQLite uses an index only then.
const subject = "substr(kind, 1, instr(kind, '.') - 1)";
const profile = "CASE WHEN json_valid(body) THEN json_extract(body, '$.profile') END";
const agent = "CASE WHEN json_valid(body) THEN json_extract(body, '$.agent') END";

// A proposal has one profile and one agent, which its first row names: only that one is in the indexes.
const indexed = "(proposal_id IS NULL OR kind = 'proposal.proposed')";

/** Rows with this fact, and every row of the proposals whose first row has it. */
function rowsWith(fact: string, value: string): string {
  const having = `FROM ledger WHERE ${fact} = ${value} AND ${indexed}`;
  return `seq IN (SELECT seq ${having} AND proposal_id IS NULL
    UNION ALL SELECT seq FROM ledger WHERE proposal_id IN (SELECT proposal_id ${having}))`;
}

const terms: Readonly<Record<keyof LedgerFilter, string>> = {
  proposalId: 'proposal_id = :proposalId',
  profileId: rowsWith(profile, ':profileId'),
  agentId: rowsWith(agent, ':agentId'),
  about: `${subject} = :about`,
  cid: 'proposal_id IN (SELECT proposal_id FROM proposal_target WHERE cid = :cid)',
  fromMs: 'at_ms >= :fromMs',
  untilMs: 'at_ms < :untilMs',
};

/** Which rows besides: for pages and parts of an export. */
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
export const profilesSql = `WITH RECURSIVE named (id) AS (
    SELECT min(${profile}) FROM ledger WHERE ${profile} IS NOT NULL AND ${indexed}
    UNION ALL
    SELECT (SELECT min(${profile}) FROM ledger WHERE ${profile} > named.id AND ${indexed}) FROM named WHERE named.id IS NOT NULL
  ) SELECT id FROM named WHERE id IS NOT NULL`;
