import type { Logger } from '#core/platform/logger.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import type { UnfinishedWork } from '../lifecycle/unfinished-work.ts';
import { createAnnouncing } from './automatic-showings.ts';
import { createBatchMembers, createEmptiedBatches } from './batch-members.ts';
import { type Confirmation, type ConfirmationOptions, createConfirmation } from './show-and-decide.ts';
import { createReviewSessions, type ReviewSessionsOptions } from './review-sessions.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The confirmations of all proposals: on request, in a review of many, and announced unasked. */
export interface Confirmations {
  /** Fails with `shutting_down` once the end has begun. */
  port: Omit<ConfirmationPort, 'picture'>;
  review: Confirmation['review'];
  dispose(): void;
}

export interface ConfirmationsOptions
  extends
    Omit<ConfirmationOptions, 'members' | 'reviews' | 'assertAsks'>,
    ReviewSessionsOptions,
    Pick<UnfinishedWork, 'run'> {
  /** Takes back what agents have left, before anything is decided. */
  settleAbandoned(): void;
  onProposalChanged(listener: (id: string) => void): void;
  logger: Logger;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export function createConfirmations(options: ConfirmationsOptions): Confirmations {
  const { store, showings, confirmer, logger, run, settleAbandoned, onProposalChanged } = options;
  const members = createBatchMembers(options);
  const emptied = createEmptiedBatches({ ...options, members });
  onProposalChanged(emptied.look);
  const { port, review, announce } = createConfirmation({
    ...options,
    members,
    reviews: createReviewSessions(options),
    assertAsks: emptied.assertAsks,
  });

  /** Leaves a proposal that cannot be announced in the list. */
  function tryToAnnounce(id: string): boolean {
    try {
      announce(id);
      return true;
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'A proposal could not be brought forward');
      return false;
    }
  }

  const announcing = createAnnouncing({
    proposals: store.proposals,
    isShown: showings.has,
    announce: tryToAnnounce,
  });
  if (confirmer.announce !== undefined) onProposalChanged(announcing.look);

  return {
    review,
    port: {
      ...port,
      prepareAgain: (seen) => run(() => port.prepareAgain(seen)),
      undo: (seen) => run(() => port.undo(seen)),
      decide: (decision) =>
        run(() => {
          settleAbandoned();
          return port.decide(decision);
        }),
      turn: (turn) =>
        run(async () => {
          const turned = await port.turn(turn);
          // A person who goes through all that waits is not interrupted by any of it.
          announcing.putAway();
          return turned;
        }),
      putAway(seen) {
        showings.drop(showings.require(seen));
        announcing.putAway();
      },
    },
    dispose() {
      announcing.dispose();
      emptied.dispose();
    },
  };
}
