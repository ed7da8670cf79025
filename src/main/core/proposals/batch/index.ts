import type { CampaignChanges } from '#shared/app-api/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { Operation } from '../operation.ts';

/** Writes that belong together: the resume after a panic, a reversal. */
export interface SeveralWrites {
  /** What all of them do, in words. */
  equally: string;
  updates: readonly { cid: number; changes: CampaignChanges }[];
  statuses: readonly { cids: readonly number[]; status: StatusCode }[];
  /** What was left out on purpose, listed in the proposal. */
  skipped: readonly { what: string; because: string }[];
}

/** Several proposals under one decision, each with its own result. */
export function createBatchOperation(): Operation {
  const missing = (): never => {
    throw new Error('not yet');
  };
  return { words: missing, reread: missing, send: missing, readBack: missing };
}
