import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertUntouched } from '../operations/fingerprint.ts';
import type { Showings } from './showings.ts';
import type { Journal, Move } from '../lifecycle/journal/journal.ts';
import { isKeptBack } from '../operations/locks.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { readBatch } from '../operations/batch/stored-parts.ts';
import { loadMembers } from '../operations/load-proposal.ts';
import { hasApprovalEnded } from '../operations/tool-call/stored-parts.ts';

/** A member that followed the decision on its batch. */
export type Followed = Pick<StoredProposal, 'id' | 'fingerprint'>;

/** Members of a batch, which follow the decision on it. Any other proposal has none. */
export interface BatchMembers {
  /**
   * Passes when some member waits still, and all of those are what the batch lists. Fails with `batch_over` or
   * `fingerprint_mismatch`.
   */
  assertWaiting(batch: StoredProposal): void;
  /**
   * Moves every member that waits along with its batch, in the caller's transaction, and returns those. A member that
   * another write to its campaign keeps back, or whose approval by the service has ended, is not approved: it waits on.
   */
  follow(batch: StoredProposal, to: 'shown' | 'approved' | 'denied', how: Move): Followed[];
}

export function createBatchMembers({
  store,
  journal,
  clock,
}: {
  store: AppStore;
  journal: Pick<Journal, 'move'>;
  clock: Pick<Clock, 'nowMs'>;
}): BatchMembers {
  function waiting(batch: StoredProposal): StoredProposal[] {
    if (batch.operation !== 'batch') return [];
    const { members } = readBatch(batch);
    return loadMembers(store, members).filter(({ state }) => isUndecided(state));
  }

  const hasEnded = (member: StoredProposal): boolean => hasApprovalEnded(member, clock.nowMs());

  return {
    assertWaiting(batch) {
      if (batch.operation !== 'batch') return;
      const { members } = readBatch(batch);
      const listed = new Map(members.map(({ id, fingerprint }) => [id, fingerprint]));
      const asked = waiting(batch);
      if (asked.length === 0) throw new AppError('batch_over');
      for (const member of asked) assertUntouched({ ...member, fingerprint: listed.get(member.id) ?? '' });
    },
    follow(batch, to, { by = {}, set = {} }) {
      const how: Move = { by: { ...by, batch: batch.id }, set };
      const asked = waiting(batch);
      const moving =
        to === 'shown'
          ? asked.filter(({ state }) => state === 'proposed')
          : asked.filter((member) => to === 'denied' || (!isKeptBack(store, member) && !hasEnded(member)));
      return moving.map((member) => {
        const seen =
          to !== 'shown' && member.state === 'proposed' ? journal.move(member, 'shown', how) : member;
        const { id, fingerprint } = journal.move(seen, to, how);
        return { id, fingerprint };
      });
    },
  };
}

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
  showings: Pick<Showings, 'hide'>;
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
        // A tampered member or a failing disk is reported when the batch is reviewed.
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
