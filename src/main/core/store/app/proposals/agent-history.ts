import { z } from 'zod';
import { proposalSummarySchema } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';
import type { Headline } from './stored-proposal.ts';

/** What an agent proposed before, for its limits. Its admission and batches of people do not count. */
export interface AgentHistoryReader {
  /** When it proposed something after this moment, newest first. What Countersign asked again on a moved base is not its own. */
  proposedAtOfAgent(agentId: string, afterMs: number): number[];
  /**
   * The money at risk per day of what waits for a decision, and of what was approved and moved after this moment; without that
   * of one proposal, which another one replaces.
   */
  raisesOfAgent(
    agentId: string,
    afterMs: number,
    replaced: string | null,
  ): { perDay: Headline['perDay']; targetCount: number }[];
}

const own = `agent_id = ? AND operation NOT IN ('agent.admit', 'batch')`;
const waiting = `('proposed', 'shown')`;
const approved = `('approved', 'intent', 'sent', 'verified', 'differs', 'done', 'unknown')`;

const perDaySchema = proposalSummarySchema.shape.perDay;
const rowSchema = z.object({ perDay: z.string(), targetCount: z.int() });

export function createAgentHistory(db: Database): AgentHistoryReader {
  const proposedAt = db
    .prepare<[string, number], number>(
      `SELECT created_at_ms FROM proposal
       WHERE ${own} AND created_at_ms > ? AND json_extract(origin, '$.rebase') IS NULL
       ORDER BY created_at_ms DESC`,
    )
    .pluck();
  const raises = db.prepare<[string, string | null, number]>(
    `SELECT json_extract(origin, '$.headline.perDay') AS perDay, json_array_length(origin, '$.targets') AS targetCount
     FROM proposal WHERE ${own} AND id IS NOT ? AND (state IN ${waiting} OR (state IN ${approved} AND updated_at_ms > ?))`,
  );
  return {
    proposedAtOfAgent: (agentId, afterMs) => proposedAt.all(agentId, afterMs),
    raisesOfAgent: (agentId, afterMs, replaced) =>
      raises.all(agentId, replaced, afterMs).map((row) => {
        const { perDay, targetCount } = rowSchema.parse(row);
        return { perDay: perDaySchema.parse(JSON.parse(perDay)), targetCount };
      }),
  };
}
