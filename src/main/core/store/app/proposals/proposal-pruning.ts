import { z } from 'zod';
import { proposalSchema } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';

/** A settled proposal that still has its details. */
export interface PrunableProposal {
  id: string;
  profileId: string;
  settledAtMs: number;
}

export interface ProposalPruner {
  /**
   * Settled before this moment with its details still there, oldest first, after the one that is named. Members of a batch
   * that is not settled are not among them: its words are made from theirs.
   */
  prunable(query: { beforeMs: number; after: PrunableProposal | null; limit: number }): PrunableProposal[];
  /**
   * Removes payload, base, the verdicts of fields stored as asked, and the service's answer. What it was, by its fingerprint,
   * who decided and what became of it stays.
   */
  prune(id: string, atMs: number): void;
}

const settled = `('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale')`;
const progressSchema = z.looseObject({ verdicts: proposalSchema.shape.verdicts });

export function createProposalPruner(db: Database): ProposalPruner {
  const prunable = db.prepare<
    { beforeMs: number; afterMs: number; afterId: string; limit: number },
    PrunableProposal
  >(
    `SELECT id, profile_id AS profileId, updated_at_ms AS settledAtMs FROM proposal
     WHERE pruned_at_ms IS NULL AND state IN ${settled} AND updated_at_ms < :beforeMs
       AND (updated_at_ms, id) > (:afterMs, :afterId)
       AND id NOT IN (SELECT member.value ->> 'id' FROM proposal AS batch, json_each(batch.payload, '$.members') AS member
         WHERE batch.operation = 'batch' AND batch.state IN ('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'))
     ORDER BY updated_at_ms, id LIMIT :limit`,
  );
  const progressOf = db.prepare<[string], string>('SELECT progress FROM proposal WHERE id = ?').pluck();
  const prune = db.prepare<{ id: string; atMs: number; progress: string }>(
    `UPDATE proposal SET payload = '', base = '', pruned_at_ms = :atMs, progress = :progress WHERE id = :id`,
  );
  const forgetAnswer = db.prepare<[string]>('UPDATE agent_call SET answer = NULL WHERE proposal_id = ?');

  return {
    prunable: ({ beforeMs, after, limit }) =>
      prunable.all({ beforeMs, afterMs: after?.settledAtMs ?? -1, afterId: after?.id ?? '', limit }),
    prune(id, atMs) {
      const progress = progressSchema.parse(JSON.parse(progressOf.get(id) ?? ''));
      const verdicts = progress.verdicts.filter(({ verdict }) => verdict !== 'stored');
      prune.run({ id, atMs, progress: JSON.stringify({ ...progress, verdicts }) });
      forgetAnswer.run(id);
    },
  };
}
