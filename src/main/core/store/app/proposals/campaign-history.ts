import { z } from 'zod';
import { proposalSchema } from '#shared/app-api/index.ts';
import { type Database, readAll } from '../../sqlite/database.ts';
import {
  fromRow,
  listedColumns,
  listedFromRow,
  type ListedProposal,
  type ListedRow,
  type StoredProposal,
} from './proposal-row.ts';

export interface Comparison {
  /** True for a call of a tool. Then `moved` includes changed fields that the call itself does not set. */
  isCall: boolean;
  moved: string[];
  /** Fields that, when the app proposed the change, were known to change by themselves. */
  volatile: string[];
}

export const maxLastWrites = 10;

export interface CampaignHistoryReader {
  comparisonsOf(query: { profileId: string; cid: number; afterMs: number }): Comparison[];
  /** Writes that were or may have been executed, newest first; the members of a batch instead of the batch. */
  lastWritesTo(query: { profileId: string; cid: number }): StoredProposal[];
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
  const newestWrites = readAll(
    db,
    `SELECT wanted.value AS cid, ${listedColumns.map((column) => `proposal.${column}`).join(', ')}
     FROM json_each(:cids) AS wanted
     JOIN proposal ON proposal.id = (
       SELECT proposal.id FROM proposal_target
       JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal_target.cid = wanted.value AND ${isWrite}
       ORDER BY proposal.intent_at_ms DESC, proposal.id DESC LIMIT 1)`,
    ({ cid, ...row }: ListedRow & { cid: number }) => ({ cid, write: listedFromRow(row) }),
  );
  return {
    comparisonsOf: readAll(
      db,
      `SELECT proposal.operation, proposal.origin, proposal.progress FROM proposal_target
       JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal_target.cid = :cid AND proposal.profile_id = :profileId AND proposal.updated_at_ms > :afterMs
         AND proposal.operation IN ('campaign.update', 'tool.call')
         AND (proposal.intent_at_ms IS NOT NULL OR proposal.state = 'stale')
       ORDER BY proposal.updated_at_ms DESC, proposal.id DESC LIMIT 50`,
      ({ operation, origin, progress }: Record<'operation' | 'origin' | 'progress', string>) => ({
        isCall: operation === 'tool.call',
        moved: progressSchema.parse(JSON.parse(progress)).conflict.map(({ field }) => field),
        volatile: originSchema.parse(JSON.parse(origin)).rebase?.volatile ?? [],
      }),
    ),
    lastWritesTo: readAll(
      db,
      `SELECT proposal.* FROM proposal_target
       JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal_target.cid = :cid AND ${isWrite}
       ORDER BY proposal.intent_at_ms DESC, proposal.id DESC LIMIT ${maxLastWrites}`,
      fromRow,
    ),
    newestWritesTo: ({ profileId, cids }) => newestWrites({ profileId, cids: JSON.stringify(cids) }),
  };
}
