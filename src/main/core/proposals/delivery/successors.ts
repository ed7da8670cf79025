import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AttemptStep } from './attempt.ts';
import { assertAllowed, type Guarding } from '../proposing/agent-guard.ts';
import type { Journal } from '../lifecycle/journal.ts';
import type { Draft } from '../operations/operation.ts';
import { outcomeWith, type Outcome } from '../lifecycle/outcome.ts';

/** An approved proposal at its end, and the one that replaces it where its campaign had moved. */
export interface Delivered {
  proposal: StoredProposal;
  successor: StoredProposal | null;
}

export interface SuccessorOptions extends Guarding {
  store: AppStore;
  journal: Journal;
}

/** How an approved proposal ends whose campaign had moved. */
type Ending = Pick<AttemptStep, 'to' | 'set'>;

/**
 * Asks the same wish again on the new state, and ends the one before; both or neither. An agent's is asked again only within
 * its limits of now: on the new state the same wish may be another raise, and there may be others since. Fails as the journal
 * does.
 */
export type Succeed = (proposal: StoredProposal, draft: Draft, ending: Ending) => Delivered;

export function createSucceed(options: SuccessorOptions): Succeed {
  const { store, journal } = options;

  /** Why the agent's limits do not let it be asked again; null where they do. */
  function refusalOf(proposal: StoredProposal, draft: Draft): Outcome | null {
    try {
      assertAllowed(options, draft, proposal);
      return null;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      const { code, message } = failure;
      return outcomeWith(code, `The campaign changed, and this was not proposed again. ${message}`);
    }
  }

  return (proposal, draft, { to, set }) =>
    store.transaction(() => {
      const refusal = refusalOf(proposal, draft);
      if (refusal !== null) {
        return { proposal: journal.move(proposal, to, { set: { outcome: refusal } }), successor: null };
      }
      const successor = journal.propose(draft, proposal);
      const ended = journal.move(proposal, to, { set: { ...set, replacedBy: successor.id } });
      return { proposal: ended, successor };
    });
}
