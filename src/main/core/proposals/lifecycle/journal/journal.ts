import type { ProposalPatch, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/proposals/states.ts';
import type { CampaignBefore, PreparedWrite, Proposer } from '../../operations/operation.ts';

/**
 * The only writer of proposals: every state and its ledger row are one transaction, and pages are notified once both
 * are on disk. Fails with `storage_failed` or `ledger_broken`, and `propose` with `dlp_denied`; then nothing has changed.
 */
export interface Journal {
  propose(draft: PreparedWrite, proposer: Proposer): StoredProposal;
  /** Moves along the table of allowed moves; any other move is a bug and throws. */
  move(proposal: StoredProposal, to: ProposalState, how?: Move): StoredProposal;
}

/** A move of a proposal: its actor, Countersign itself by default, and what else of it changes. */
export interface Move {
  /** The actor, where the decision was given, and the batch under whose decision it was done. */
  by?: { actor?: string; via?: string | null; batch?: string | null };
  set?: ProposalPatch;
  /** The service's answer, kept with the call behind the proposal. */
  answer?: string | null;
  /** With an intent: the campaigns as they were before it, of which the copies of the day are made. */
  before?: readonly CampaignBefore[];
}

/**
 * Every move a proposal may make; there is no other (docs/write-path.md). A showing may be
 * repeated. What follows `approved` and leaves nothing sent is `stale`, `expired` or `withdrawn`; from `intent` on the
 * service may have heard of it. An intent that the service refused with 429 is repeated, after a wait. Unknown outcomes are
 * settled by reads only; one that no read can settle says so, once, and stays unknown. One that expired says, once, by what it was
 * replaced.
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
