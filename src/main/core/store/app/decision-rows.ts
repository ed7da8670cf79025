import { z } from 'zod';
import { operationNames, askerSchema } from '#shared/app-api/index.ts';
import { type Database, readColumn } from '../sqlite/database.ts';

/** An approval or a denial in the ledger, and the parts of its proposal that outlive the details. */
export interface DecisionRow {
  id: string;
  atMs: number;
  isApproved: boolean;
  /** The batch under whose decision it was done; null for a decision of its own. */
  batchId: string | null;
  operation: (typeof operationNames)[number];
  by: z.infer<typeof askerSchema>;
  agentId: string | null;
  title: string;
  /** Null where an earlier build stored the proposal. */
  warningCodes: string[] | null;
}

/** A change that takes others back, or an emergency stop, and was executed. */
export interface TakenBack {
  id: string;
  atMs: number;
  /** The proposal that it undoes; null for a reversal and an emergency stop, which act on many. */
  undoes: string | null;
  kind: 'undo' | 'reversal' | 'emergency-stop';
  askedAtMs: number;
  /** For a reversal: since when it takes back changes, and of which agent, or null for all. */
  sinceMs: number | null;
  agentId: string | null;
}

export interface DecisionReader {
  /** Number of the first row since this moment; null if there is none. */
  firstSince(sinceMs: number): number | null;
  /** The decisions about a profile among the rows from one number up to another, in their order. */
  between(query: { profileId: string; fromSeq: number; untilSeq: number; sinceMs: number }): DecisionRow[];
  /** Undos, reversals and emergency stops of a profile that were asked for since then and executed, oldest first. */
  takingBack(query: { profileId: string; sinceMs: number }): TakenBack[];
  /** Executed writes of agents, or of one, in this time on the campaigns that a change lists; not the change itself. */
  writesBehind(query: {
    id: string;
    profileId: string;
    fromMs: number;
    untilMs: number;
    agentId: string | null;
  }): string[];
}

const written = "('verified', 'differs', 'done')";

const rowSchema = z.object({
  id: z.string(),
  atMs: z.number(),
  isApproved: z.int().transform((found) => found === 1),
  batchId: z.string().nullable(),
  operation: z.enum(operationNames),
  by: z.string().transform((text) => askerSchema.parse(JSON.parse(text))),
  agentId: z.string().nullable(),
  title: z.string(),
  warningCodes: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : z.array(z.string()).parse(JSON.parse(text)))),
});

export function createDecisionReader(db: Database): DecisionReader {
  const first = readColumn<[number], number>(db, 'SELECT min(seq) FROM ledger WHERE at_ms >= ?');
  // The numbers find the rows, not their times: a part of them costs the same wherever it lies.
  const between = db.prepare<{ profileId: string; fromSeq: number; untilSeq: number; sinceMs: number }>(
    `SELECT ledger.proposal_id AS id, ledger.at_ms AS atMs, ledger.kind = 'proposal.approved' AS isApproved,
       CASE WHEN json_valid(ledger.body) THEN ledger.body ->> '$.batch' END AS batchId,
       proposal.operation, proposal.origin -> '$.proposedBy' AS "by", proposal.agent_id AS agentId,
       proposal.origin ->> '$.headline.title' AS title, proposal.origin -> '$.headline.warningCodes' AS warningCodes
     FROM ledger CROSS JOIN proposal ON proposal.id = ledger.proposal_id
     WHERE ledger.seq BETWEEN :fromSeq AND :untilSeq AND ledger.kind IN ('proposal.approved', 'proposal.denied')
       AND +ledger.at_ms >= :sinceMs AND proposal.profile_id = :profileId ORDER BY ledger.seq`,
  );
  const takingBack = db.prepare<{ profileId: string; sinceMs: number }, TakenBack>(
    `SELECT id, coalesce(intent_at_ms, updated_at_ms) AS atMs, json_extract(origin, '$.undoes.id') AS undoes, 'undo' AS kind,
       created_at_ms AS askedAtMs, NULL AS sinceMs, NULL AS agentId FROM proposal
     WHERE json_extract(origin, '$.undoes.id') IS NOT NULL AND profile_id = :profileId
       AND created_at_ms >= :sinceMs AND state IN ${written}
     UNION ALL
     SELECT id, coalesce(intent_at_ms, updated_at_ms), NULL, substr(kind, 1, instr(kind, '.') - 1), ledger.at_ms,
       CASE WHEN json_valid(body) THEN body ->> '$.sinceMs' END, CASE WHEN json_valid(body) THEN body ->> '$.agent' END
     FROM ledger CROSS JOIN proposal ON proposal.id = ledger.proposal_id
     WHERE substr(kind, 1, instr(kind, '.') - 1) IN ('reversal', 'emergency-stop') AND at_ms >= :sinceMs
       AND proposal.profile_id = :profileId AND proposal.state IN ${written}
     ORDER BY askedAtMs`,
  );
  const writesBehind = readColumn<[Parameters<DecisionReader['writesBehind']>[0]], string>(
    db,
    `SELECT DISTINCT proposal.id FROM proposal AS action
       CROSS JOIN json_each(action.origin, '$.targets') AS listed
       CROSS JOIN proposal_target AS target ON target.cid = listed.value
       CROSS JOIN proposal ON proposal.id = target.proposal_id
       WHERE action.id = :id AND proposal.id <> :id AND proposal.profile_id = :profileId
         AND proposal.intent_at_ms BETWEEN :fromMs AND :untilMs AND proposal.state IN ${written}
         AND proposal.operation NOT IN ('batch', 'agent.admit') AND proposal.agent_id IS NOT NULL
         AND (:agentId IS NULL OR proposal.agent_id = :agentId)`,
  );
  return {
    firstSince: (sinceMs) => first.get(sinceMs) ?? null,
    between: (query) => between.all(query).map((row) => rowSchema.parse(row)),
    takingBack: (query) => takingBack.all(query),
    writesBehind: (query) => writesBehind.all(query),
  };
}
