import type { Formats } from '../lib/formats.ts';

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

export const minWaitingMinutes = 10;
export const maxWaitingMinutes = 7 * 24 * 60;
export const defaultWaitingMinutes = 24 * 60;

const hour = 60;
const day = 24 * hour;

/** For example `10 minutes`, `24 hours`, `3 days`. */
export function waitingTimeText(minutes: number, formats: Formats): string {
  if (minutes > day && minutes % day === 0) return formats.counted(minutes / day, 'day');
  return minutes % hour === 0 ? formats.counted(minutes / hour, 'hour') : formats.counted(minutes, 'minute');
}
