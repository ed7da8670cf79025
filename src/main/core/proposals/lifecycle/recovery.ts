import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { loadProposal } from '../operations/load-proposal.ts';
import type { Journal } from './journal/journal.ts';
import { type WriteAnswer, settlementOf } from '../operations/outcome.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/**
 * Approved proposals whose delivery ended without a record: a failing disk or ledger, or a crash. Nothing delivers
 * them any more, so they may be settled. Proposals in delivery are not among them.
 */
export interface Unrecorded {
  /** Remembers the proposal, with what is known of the service's answer. */
  remember(id: string, answer: WriteAnswer): void;
  has(id: string): boolean;
  /**
   * Records the settled state of an unrecorded proposal, and passes any other through. Fails as the journal does;
   * then it stays unrecorded.
   */
  putRight(proposal: StoredProposal): StoredProposal;
}

export function createUnrecorded({ journal, logger }: { journal: Journal; logger: Logger }): Unrecorded {
  const answers = new Map<string, WriteAnswer>();
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
 * Repairs the state after a crash: withdraws what was approved and not begun, and marks what was begun as unknown.
 * Returns the ids to watch: unknown outcomes, and those that cannot be recorded yet, which stay locked.
 */
export function recover({ store, unrecorded, logger }: RecoveryOptions): string[] {
  return store.proposals
    .open()
    .filter(({ state }) => !isUndecided(state))
    .filter(({ id }) => isUnsettled(loadProposal(store, id), { unrecorded, logger }))
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
