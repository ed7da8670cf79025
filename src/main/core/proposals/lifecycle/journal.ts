import type { ProposalPatch, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/proposals/states.ts';
import type { CampaignBefore, PreparedWrite, Proposer } from '../operations/operation.ts';

/**
 * The only writer of proposals: every state and its ledger row are one transaction, and pages are notified once both
 * are on disk. Fails with `storage_failed` or `ledger_broken`, and `propose` with `dlp_denied`; then nothing has changed.
 */
export interface Journal {
  propose(draft: PreparedWrite, proposer: Proposer): StoredProposal;
  /** Throws for a move that is not in {@link allowedMoves}. */
  move(proposal: StoredProposal, to: ProposalState, how?: Move): StoredProposal;
}

export interface Move {
  /** The actor (Countersign by default), where the decision was given, and the batch under whose decision it was done. */
  by?: { actor?: string; via?: string | null; batch?: string | null };
  set?: ProposalPatch;
  answer?: string | null;
  /** With an intent: the campaigns before it, for the copies of the day. */
  before?: readonly CampaignBefore[];
}

/**
 * Every move that a proposal may make (docs/write-path.md). A showing may be repeated, and so may an intent that the service refused with 429. An
 * unknown outcome that no read can settle, and an expired proposal that was replaced, record that once.
 */
export const allowedMoves: Readonly<Record<ProposalState, readonly ProposalState[]>> = {
  proposed: ['shown', 'expired', 'withdrawn'],
  shown: ['shown', 'approved', 'denied', 'expired', 'withdrawn'],
  approved: ['intent', 'stale', 'expired', 'withdrawn'],
  intent: ['intent', 'sent', 'refused', 'unknown'],
  sent: ['verified', 'differs', 'done', 'unknown'],
  unknown: ['unknown', 'verified', 'differs', 'done', 'refused'],
  verified: [],
  differs: [],
  done: [],
  refused: [],
  denied: [],
  expired: ['expired'],
  withdrawn: [],
  stale: [],
};

export function isAllowedMove(from: ProposalState, to: ProposalState): boolean {
  return allowedMoves[from].includes(to);
}
