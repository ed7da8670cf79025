export const proposalStates = [
  'proposed',
  'shown',
  'approved',
  'intent',
  'sent',
  'verified',
  'differs',
  'done',
  'refused',
  'unknown',
  'denied',
  'expired',
  'withdrawn',
  'stale',
] as const;

export type ProposalState = (typeof proposalStates)[number];

export function isUndecided(state: ProposalState): boolean {
  return state === 'proposed' || state === 'shown';
}

/** From the approval until the write has ended or its outcome is unknown. */
export function isInDelivery(state: ProposalState): boolean {
  return state === 'approved' || state === 'intent' || state === 'sent';
}

/** Not ended yet. An unknown outcome counts as ended. */
export function isOpen(state: ProposalState): boolean {
  return isUndecided(state) || isInDelivery(state);
}

/** The service executed the write, whether or not the read-back matches. */
export function isExecuted(state: ProposalState): boolean {
  return isAsApproved(state) || state === 'differs';
}

/** The result is the approved one, as far as it can be read. */
export function isAsApproved(state: ProposalState): boolean {
  return state === 'verified' || state === 'done';
}

export function isDoneBatch({ state, detail }: { state: ProposalState; detail: { kind: string } }): boolean {
  return detail.kind === 'batch' && state === 'done';
}
