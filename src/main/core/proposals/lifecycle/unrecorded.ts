import type { Logger } from '#core/platform/logger.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { Journal } from './journal.ts';
import { restOf, type Answer } from './outcome.ts';

/**
 * Approved proposals whose way ended where it could not be recorded: a failing disk or ledger, or a crash. Nobody works on
 * them any more, so they may be moved to where they rest; proposals under way are none of them.
 */
export interface Unrecorded {
  /** Remembers the proposal, with what is known of the service's answer. */
  leave(id: string, answer: Answer): void;
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
    leave(id, answer) {
      answers.set(id, answer);
    },
    has: (id) => answers.has(id),
    putRight(proposal) {
      const answer = answers.get(proposal.id);
      if (answer === undefined) return proposal;
      const rest = restOf(proposal, answer);
      const resting =
        rest === null
          ? proposal
          : journal.move(proposal, rest.to, {
              set: { outcome: rest.outcome },
              answer: answer.text ?? null,
            });
      answers.delete(proposal.id);
      logger.info({ proposal: resting.id, state: resting.state }, 'A proposal left behind was put right');
      return resting;
    },
  };
}
