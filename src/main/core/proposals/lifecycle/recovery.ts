import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Journal } from './journal.ts';
import { type Answer, settlementOf } from './outcome.ts';
import { isUndecided } from './state-table.ts';

/**
 * Approved proposals whose way ended where it could not be recorded: a failing disk or ledger, or a crash. Nobody works on
 * them any more, so they may be moved to where they rest; proposals under way are none of them.
 */
export interface Unrecorded {
  /** Remembers the proposal, with what is known of the service's answer. */
  remember(id: string, answer: Answer): void;
  has(id: string): boolean;
  /**
   * Records where the proposal rests, when it is one of these, and passes any other through. Fails as the journal does;
   * then it stays one.
   */
  putRight(proposal: StoredProposal): StoredProposal;
}

export function createUnrecorded({ journal, logger }: { journal: Journal; logger: Logger }): Unrecorded {
  const answers = new Map<string, Answer>();
  return {
    remember(id, answer) {
      answers.set(id, answer);
    },
    has: (id) => answers.has(id),
    putRight(proposal) {
      const answer = answers.get(proposal.id);
      if (answer === undefined) return proposal;
      const settlement = settlementOf(proposal, answer);
      const settled =
        settlement === null
          ? proposal
          : journal.move(proposal, settlement.to, {
              set: { outcome: settlement.outcome },
              answer: answer.text ?? null,
            });
      answers.delete(proposal.id);
      logger.info({ proposal: settled.id, state: settled.state }, 'A proposal left behind was put right');
      return settled;
    },
  };
}

export interface RecoveryOptions {
  store: AppStore;
  unrecorded: Unrecorded;
  logger: Logger;
}

/**
 * Puts right what a crash left: what was approved and not begun is withdrawn, and of what was begun nobody knows the
 * outcome. Returns the ids that are to be watched: unknown outcomes, and what cannot be recorded yet, which stays locked.
 */
export function recover({ store, unrecorded, logger }: RecoveryOptions): string[] {
  return store.proposals
    .open()
    .filter(({ state }) => !isUndecided(state))
    .filter((proposal) => isUnsettled(proposal, { unrecorded, logger }))
    .map(({ id }) => id);
}

function isUnsettled(
  proposal: StoredProposal,
  { unrecorded, logger }: Pick<RecoveryOptions, 'unrecorded' | 'logger'>,
): boolean {
  if (proposal.state === 'unknown') return true;
  unrecorded.remember(proposal.id, { kind: 'none' });
  try {
    return unrecorded.putRight(proposal).state === 'unknown';
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    logger.error({ failure, proposal: proposal.id }, 'A proposal could not be recovered');
    return true;
  }
}
