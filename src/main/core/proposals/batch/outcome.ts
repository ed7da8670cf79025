import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { outcomeWith, type Outcome } from '../lifecycle/outcome.ts';

/** What has become of a member, as a batch counts it. */
const counted: Readonly<Record<ProposalState, string>> = {
  verified: 'stored',
  done: 'done',
  differs: 'stored differently',
  refused: 'not stored',
  stale: 'out of date',
  unknown: 'unknown',
  denied: 'denied',
  expired: 'expired',
  withdrawn: 'withdrawn',
  proposed: 'still waiting',
  shown: 'still waiting',
  approved: 'under way',
  intent: 'under way',
  sent: 'under way',
};

/** What a person approved and nobody knows the end of yet. */
const unsettled: ReadonlySet<ProposalState> = new Set(['approved', 'intent', 'sent', 'unknown']);

/** False once every member rests, or was left waiting. */
export function isUnsettled({ state }: Pick<StoredProposal, 'state'>): boolean {
  return unsettled.has(state);
}

/** How a batch stands or ended, counted: `47 stored, 2 moved, 1 not stored.` */
export function batchOutcome(members: readonly Pick<StoredProposal, 'state' | 'replacedBy'>[]): Outcome {
  const words = members.map(({ state }) => counted[state]);
  const parts = [...new Set(Object.values(counted))].flatMap((word) => {
    const count = words.filter((one) => one === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const again = members.some(({ replacedBy }) => replacedBy !== null)
    ? ' What is out of date is asked again alone.'
    : '';
  const code = members.some(isUnsettled) ? 'batch_unsettled' : 'batch_done';
  return outcomeWith(code, `${parts.join(', ')}.${again}`);
}
