import { z } from 'zod';
import { operationNames, askerSchema } from '#shared/app-api/index.ts';
import { type Database, readAll, readValue, readValues } from '../sqlite/database.ts';

export interface DecisionRow {
  id: string;
  atMs: number;
  isApproved: boolean;
  batchId: string | null;
  operation: (typeof operationNames)[number];
  by: z.infer<typeof askerSchema>;
  agentId: string | null;
  title: string;
  /** Null if an earlier build stored the proposal. */
  warningCodes: string[] | null;
}

export interface TakenBack {
  id: string;
  atMs: number;
  /** Null for a reversal and an emergency stop, which affect many proposals. */
  undoes: string | null;
  kind: 'undo' | 'reversal' | 'emergency-stop';
  askedAtMs: number;
  sinceMs: number | null;
  agentId: string | null;
}

export interface DecisionReader {
  firstSince(sinceMs: number): number | null;
  between(query: { profileId: string; fromSeq: number; untilSeq: number; sinceMs: number }): DecisionRow[];
  takingBack(query: { profileId: string; sinceMs: number }): TakenBack[];
  /** Executed writes of agents to the campaigns of a change, except the change itself. */
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
  return {
    firstSince: readValue<number>(db, 'SELECT min(seq) FROM ledger WHERE at_ms >= ?'),
    // Selects by sequence number instead of time, so that a part of the rows costs the same anywhere in the ledger.
    between: readAll(
      db,
      `SELECT ledger.proposal_id AS id, ledger.at_ms AS atMs, ledger.kind = 'proposal.approved' AS isApproved,
         CASE WHEN json_valid(ledger.body) THEN ledger.body ->> '$.batch' END AS batchId,
         proposal.operation, proposal.origin -> '$.proposedBy' AS "by", proposal.agent_id AS agentId,
         proposal.origin ->> '$.headline.title' AS title, proposal.origin -> '$.headline.warningCodes' AS warningCodes
       FROM ledger CROSS JOIN proposal ON proposal.id = ledger.proposal_id
       WHERE ledger.seq BETWEEN :fromSeq AND :untilSeq AND ledger.kind IN ('proposal.approved', 'proposal.denied')
         AND +ledger.at_ms >= :sinceMs AND proposal.profile_id = :profileId ORDER BY ledger.seq`,
      (row: unknown) => rowSchema.parse(row),
    ),
    takingBack: readAll<TakenBack>(
      db,
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
    ),
    writesBehind: readValues<string>(
      db,
      `SELECT DISTINCT proposal.id FROM proposal AS action
       CROSS JOIN json_each(action.origin, '$.targets') AS listed
       CROSS JOIN proposal_target AS target ON target.cid = listed.value
       CROSS JOIN proposal ON proposal.id = target.proposal_id
       WHERE action.id = :id AND proposal.id <> :id AND proposal.profile_id = :profileId
         AND proposal.intent_at_ms BETWEEN :fromMs AND :untilMs AND proposal.state IN ${written}
         AND proposal.operation NOT IN ('batch', 'agent.admit') AND proposal.agent_id IS NOT NULL
         AND (:agentId IS NULL OR proposal.agent_id = :agentId)`,
    ),
  };
}
