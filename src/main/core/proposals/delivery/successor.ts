import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AttemptStep, Approved } from './next-step.ts';
import { assertAllowed, type Guarding } from '../proposing/agent-limits.ts';
import type { Journal } from '../lifecycle/journal/journal.ts';
import { type PreparedWrite, lifetimeOf } from '../operations/operation.ts';
import { undoesOf } from '../operations/load-proposal.ts';
import { outcomeWith, type Outcome } from '../operations/outcome.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** An approved proposal at its end, and its successor if its campaign had changed. */
export interface Delivered {
  proposal: StoredProposal;
  successor: StoredProposal | null;
}

/** Takes an approved proposal to its end. */
export type Deliver = (approved: Approved) => Promise<Delivered>;

export interface SuccessorOptions extends Guarding {
  store: AppStore;
  journal: Journal;
}

/** End of an approved proposal whose campaign had changed. */
type Ending = Pick<AttemptStep, 'to' | 'set'>;

/**
 * Proposes the same change again on the new state and ends the earlier proposal; both or neither. An agent's change
 * is proposed again only within its current limits: on the new state it may be another raise, and other raises may
 * have been approved since. Fails as the journal does.
 */
export type Succeed = (proposal: StoredProposal, draft: PreparedWrite, ending: Ending) => Delivered;

export function createSucceed(options: SuccessorOptions): Succeed {
  const { store, journal } = options;

  /** The reason if the agent's limits do not let it be asked again; null if they do. */
  function refusalOf(proposal: StoredProposal, draft: PreparedWrite): Outcome | null {
    try {
      assertAllowed(options, draft, proposal);
      return null;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      const { code, message } = failure;
      return outcomeWith(
        code,
        sentence`The campaign changed, and this was not proposed again. ${ownWords(message)}`,
      );
    }
  }

  return (proposal, draft, { to, set }) =>
    store.transaction(() => {
      const refusal = refusalOf(proposal, draft);
      if (refusal !== null) {
        return { proposal: journal.move(proposal, to, { set: { outcome: refusal } }), successor: null };
      }
      const inherited = { ...lifetimeOf(proposal), undoes: undoesOf(store, proposal) };
      const successor = journal.propose({ ...draft, ...inherited }, proposal);
      const ended = journal.move(proposal, to, { set: { ...set, replacedBy: successor.id } });
      return { proposal: ended, successor };
    });
}
