import { isInDelivery, isUndecided, type ProposalState } from './states.ts';

/** Drafts that were proposed, in words, by the state of their proposal. */
export function reviewWords(state: ProposalState): string {
  if (isUndecided(state)) return 'Awaiting your approval';
  return isInDelivery(state) ? 'Sending…' : 'Outcome unknown';
}
