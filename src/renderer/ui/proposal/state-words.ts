import type { PillTone } from '../display/pill.tsx';

/** Every state of a proposal. */
export type StateName =
  | 'proposed'
  | 'shown'
  | 'approved'
  | 'intent'
  | 'sent'
  | 'verified'
  | 'differs'
  | 'done'
  | 'refused'
  | 'unknown'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'stale';

export interface StateWords {
  /** One word for lists. */
  label: string;
  tone: PillTone;
  hollow: boolean;
  /** One sentence for a page. */
  sentence: string;
}

const words = (label: string, tone: PillTone, hollow: boolean, sentence: string): StateWords => ({
  label,
  tone,
  hollow,
  sentence,
});

/** What each state is called and what it means to a person. */
export const stateWords: Record<StateName, StateWords> = {
  proposed: words('Waiting', 'waiting', true, 'Waiting for your decision. Nothing has been sent.'),
  shown: words('Shown', 'waiting', false, 'Shown for confirmation. Nothing has been sent.'),
  approved: words('Approved', 'busy', true, 'Approved. Reading the campaign once more before sending.'),
  intent: words('Sending', 'busy', false, 'Approved and written down. The change is being sent.'),
  sent: words('Reading back', 'busy', false, 'Sent. Reading the campaign back.'),
  verified: words('Verified', 'good', false, 'Saved and verified.'),
  differs: words('Differs', 'bad', false, 'Sent, but the service does not hold what was sent.'),
  done: words('Done', 'good', false, 'The service says that it is done. Nothing could be read back.'),
  refused: words('Not stored', 'bad', true, 'The service did not take the change.'),
  unknown: words('Unknown', 'waiting', false, 'No answer came. The change may or may not be stored.'),
  denied: words('Denied', 'neutral', false, 'Denied. Nothing was sent.'),
  expired: words('Expired', 'neutral', true, 'Expired. Nothing was sent.'),
  withdrawn: words('Withdrawn', 'neutral', true, 'Withdrawn. Nothing was sent.'),
  stale: words('Moved', 'neutral', true, 'The campaign moved in the meantime. Nothing was sent.'),
};
