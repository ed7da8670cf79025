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

/** True while a person may still decide. */
export function isUndecided(state: ProposalState): boolean {
  return state === 'proposed' || state === 'shown';
}

/** True from the approval until the write has ended, or its outcome is unknown. */
export function isInDelivery(state: ProposalState): boolean {
  return state === 'approved' || state === 'intent' || state === 'sent';
}

/** True while neither a person nor the service has ended it; the unknown outcome of a write ends it as well. */
export function isOpen(state: ProposalState): boolean {
  return isUndecided(state) || isInDelivery(state);
}

/** True for a write that the service has executed, whether or not it was read back as asked. */
export function isExecuted(state: ProposalState): boolean {
  return isAsApproved(state) || state === 'differs';
}

/** True for a write whose end is the approved one, as far as it can be read. */
export function isAsApproved(state: ProposalState): boolean {
  return state === 'verified' || state === 'done';
}

/** True for a batch whose members have all settled: each has a result of its own, and the batch has none. */
export function isDoneBatch({ state, detail }: { state: ProposalState; detail: { kind: string } }): boolean {
  return detail.kind === 'batch' && state === 'done';
}
