import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { outcomeWith } from '../lifecycle/outcome.ts';
import type { Showings } from '../confirmation/showings.ts';
import type { BatchMembers } from './members.ts';

/** Takes back the batches of which nothing waits any more: they ask for nothing. */
export interface EmptiedBatches {
  /** Some proposal changed. */
  look(): void;
  /** Passes when something of the proposal waits. Fails with `batch_over`, and then it is taken back, or as `assertWaiting` does. */
  assertAsks(proposal: StoredProposal): void;
  dispose(): void;
}

export interface EmptiedBatchesOptions {
  store: AppStore;
  journal: Pick<Journal, 'move'>;
  showings: Showings;
  members: BatchMembers;
  logger: Logger;
}

export function createEmptiedBatches(options: EmptiedBatchesOptions): EmptiedBatches {
  const { store, journal, showings, members, logger } = options;
  let due: NodeJS.Immediate | null = null;
  let isOver = false;

  function assertAsks(proposal: StoredProposal): void {
    try {
      members.assertWaiting(proposal);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'batch_over') throw failure;
      journal.move(proposal, 'withdrawn', { set: { outcome: outcomeWith('batch_over') } });
      showings.hide(proposal.id);
      throw failure;
    }
  }

  function sweep(): void {
    due = null;
    for (const proposal of store.proposals.undecidedBatches()) {
      try {
        assertAsks(proposal);
      } catch (failure) {
        // A member that was tampered with, or a failing disk, is told to whoever reviews the batch.
        logger.info({ failure, proposal: proposal.id }, 'A batch asks for nothing that could be approved');
      }
    }
  }

  return {
    look() {
      // A burst of changes is one look, and never within the transaction of one of them.
      if (!isOver) due ??= setImmediate(sweep);
    },
    assertAsks,
    dispose() {
      isOver = true;
      if (due !== null) clearImmediate(due);
    },
  };
}
