import type { ProposalState } from '#shared/proposals/states.ts';

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

/** True when the table has the move. */
export function isAllowedMove(from: ProposalState, to: ProposalState): boolean {
  return allowedMoves[from].includes(to);
}
