import { z } from 'zod';
import { proposalSchema } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/database.ts';
import {
  fromRow,
  listedColumns,
  listedFromRow,
  type ListedProposal,
  type ListedRow,
  type ProposalRow,
  type StoredProposal,
} from './proposal-row.ts';

/** One write that was compared with its campaign right before sending, and what the comparison found. */
export interface Comparison {
  /** A call of a tool: what moved beside it is among `moved`, since nothing takes its place. */
  isCall: boolean;
  /** Fields that kept it from being sent; none where it was sent. */
  moved: string[];
  /** Fields that were known to move by themselves when it was proposed by the app. */
  volatile: string[];
}

export const maxLastWrites = 10;

export interface CampaignHistoryReader {
  /** Comparisons of writes of this campaign that ended after this moment, newest first, at most fifty. */
  comparisonsOf(query: { profileId: string; cid: number; afterMs: number }): Comparison[];
  /** Writes that list this campaign and were or may have been executed, newest first. The members of a batch stand for it. */
  lastWritesTo(query: { profileId: string; cid: number }): StoredProposal[];
  /** The newest of them for each of these campaigns that has one. */
  newestWritesTo(query: {
    profileId: string;
    cids: readonly number[];
  }): { cid: number; write: ListedProposal }[];
}

const { conflict, rebase } = proposalSchema.shape;
const progressSchema = z.object({ conflict: conflict.default([]) });
const originSchema = z.object({ rebase });

const isWrite = `proposal.profile_id = :profileId
       AND proposal.state IN ('verified', 'differs', 'done', 'unknown') AND proposal.intent_at_ms IS NOT NULL
       AND proposal.operation NOT IN ('batch', 'agent.admit')`;

export function createCampaignHistory(db: Database): CampaignHistoryReader {
  const comparisons = db.prepare<
    { profileId: string; cid: number; afterMs: number },
    { operation: string; origin: string; progress: string }
  >(
    `SELECT proposal.operation, proposal.origin, proposal.progress FROM proposal_target
     JOIN proposal ON proposal.id = proposal_target.proposal_id
     WHERE proposal_target.cid = :cid AND proposal.profile_id = :profileId AND proposal.updated_at_ms > :afterMs
       AND proposal.operation IN ('campaign.update', 'tool.call')
       AND (proposal.intent_at_ms IS NOT NULL OR proposal.state = 'stale')
     ORDER BY proposal.updated_at_ms DESC, proposal.id DESC LIMIT 50`,
  );
  const lastWrites = db.prepare<{ profileId: string; cid: number }, ProposalRow>(
    `SELECT proposal.* FROM proposal_target
     JOIN proposal ON proposal.id = proposal_target.proposal_id
     WHERE proposal_target.cid = :cid AND ${isWrite}
     ORDER BY proposal.intent_at_ms DESC, proposal.id DESC LIMIT ${maxLastWrites}`,
  );
  const newestWrites = db.prepare<{ profileId: string; cids: string }, ListedRow & { cid: number }>(
    `SELECT wanted.value AS cid, ${listedColumns.map((column) => `proposal.${column}`).join(', ')}
     FROM json_each(:cids) AS wanted
     JOIN proposal ON proposal.id = (
       SELECT proposal.id FROM proposal_target
       JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal_target.cid = wanted.value AND ${isWrite}
       ORDER BY proposal.intent_at_ms DESC, proposal.id DESC LIMIT 1)`,
  );
  return {
    lastWritesTo: (query) => lastWrites.all(query).map(fromRow),
    newestWritesTo: ({ profileId, cids }) =>
      newestWrites
        .all({ profileId, cids: JSON.stringify(cids) })
        .map(({ cid, ...row }) => ({ cid, write: listedFromRow(row) })),
    comparisonsOf: (query) =>
      comparisons.all(query).map(({ operation, origin, progress }) => ({
        isCall: operation === 'tool.call',
        moved: progressSchema.parse(JSON.parse(progress)).conflict.map(({ field }) => field),
        volatile: originSchema.parse(JSON.parse(origin)).rebase?.volatile ?? [],
      })),
  };
}
