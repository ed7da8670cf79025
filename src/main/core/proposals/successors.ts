import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { Journal } from './journal.ts';
import type { Draft } from './operation.ts';
import type { Outcome } from './outcome.ts';

/** What came of an approved proposal: at rest, and the one that asks again where its campaign had moved. */
export interface Delivered {
  proposal: StoredProposal;
  successor: StoredProposal | null;
}

export interface SuccessorOptions {
  store: AppStore;
  journal: Journal;
}

/** How an approved proposal ends whose campaign had moved. */
export interface Ending {
  to: 'stale' | 'refused';
  outcome: Outcome;
}

/** Asks the same wish again on the new state, and ends the one before; both or neither. Fails as the journal does. */
export type Succeed = (proposal: StoredProposal, draft: Draft, ending: Ending) => Delivered;

export function createSucceed({ store, journal }: SuccessorOptions): Succeed {
  return (proposal, draft, { to, outcome }) =>
    store.transaction(() => {
      const successor = journal.propose(draft, proposal);
      const ended = journal.move(proposal, to, { set: { replacedBy: successor.id, outcome } });
      return { proposal: ended, successor };
    });
}

/** Nothing asks again. */
export function alone(proposal: StoredProposal): Delivered {
  return { proposal, successor: null };
}
