/** Every state of a proposal (docs/architecture.md). */
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
