import type { ListedProposal, ProposalPatch, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/proposals/states.ts';
import type { CampaignBefore, PreparedWrite, Proposer } from '../operations/operation.ts';

/**
 * The only writer of proposals. Writes every state and its ledger row in one transaction, and notifies pages once both are
 * on disk. Fails with `storage_failed` or `ledger_broken`, and `propose` also with `dlp_denied`; nothing has changed then.
 */
export interface Journal {
  propose(draft: PreparedWrite, proposer: Proposer): StoredProposal;
  /** Throws for a move that is not in {@link allowedMoves}. */
  move(proposal: StoredProposal, to: ProposalState, how?: Move): StoredProposal;
  /** Moves to `shown` without the details, which neither the move nor its ledger row needs. */
  show(proposal: ListedProposal, by: NonNullable<Move['by']>): void;
}

export interface Move {
  /** The actor (default: Countersign), where the decision was given, and the batch whose decision caused the move. */
  by?: { actor?: string; via?: string | null; batch?: string | null };
  set?: ProposalPatch;
  answer?: string | null;
  /** With an intent: the campaigns before the write, for their daily copies. */
  before?: readonly CampaignBefore[];
}

/**
 * Every move that a proposal may make (docs/write-path.md). `shown` and `intent` may repeat: a
 * proposal may be shown again, and the service may refuse an intent with 429. `unknown` and `expired`
 * repeat once, to record that no read can settle the outcome, or that the proposal was replaced.
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
