import type { ProposalState } from '#shared/app-api/index.ts';

/** What each state means to a person. */
export const stateSentences: Record<ProposalState, string> = {
  proposed: 'Waiting for your decision. Nothing has been sent.',
  shown: 'Shown to you. Nothing has been sent.',
  approved: 'Approved. Reading the campaign once more before sending.',
  intent: 'Written down. The change is being sent.',
  sent: 'Sent. Reading the campaign back.',
  verified: 'Saved and verified.',
  differs: 'Sent, but the service does not hold what was sent.',
  done: 'The service says that it is done. Nothing could be read back.',
  refused: 'The service did not take the change.',
  unknown: 'No answer came. The change may or may not be stored.',
  denied: 'Denied. Nothing was sent.',
  expired: 'Expired. Nothing was sent.',
  withdrawn: 'Withdrawn. Nothing was sent.',
  stale: 'Out of date: someone else changed the campaign. Nothing was sent.',
};
