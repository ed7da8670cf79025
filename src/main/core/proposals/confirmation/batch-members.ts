import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertUntouched } from '../operations/fingerprint.ts';
import type { Journal, Move } from '../lifecycle/journal.ts';
import { isWithheld } from '../operations/locks.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { listedMembersOf, readBatch, membersOf } from '../operations/stored-proposals.ts';
import { hasApprovalEnded } from '../operations/tool-call/stored-parts.ts';

export type Followed = Pick<StoredProposal, 'id' | 'fingerprint'>;

interface BatchMembersOptions {
  store: AppStore;
  journal: Pick<Journal, 'move' | 'show'>;
  hide(id: string): void;
  clock: Pick<Clock, 'nowMs'>;
  logger: Logger;
}

/** The members of a batch follow the decision on the batch. A proposal of any other kind has no members. */
export function createBatchMembers({ store, journal, hide, clock, logger }: BatchMembersOptions) {
  let due: NodeJS.Immediate | null = null;
  let isOver = false;

  function waiting(batch: StoredProposal): StoredProposal[] {
    return membersOf(store, batch).filter(({ state }) => isUndecided(state));
  }

  function assertWaiting(batch: StoredProposal): void {
    const listed = new Map(readBatch(batch).members.map(({ id, fingerprint }) => [id, fingerprint]));
    const asked = waiting(batch);
    if (asked.length === 0) throw new AppError('batch_over');
    for (const member of asked) assertUntouched({ ...member, fingerprint: listed.get(member.id) ?? '' });
  }

  function assertAsks(proposal: StoredProposal): void {
    if (proposal.operation !== 'batch') return;
    try {
      assertWaiting(proposal);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'batch_over') throw failure;
      end(proposal);
      throw failure;
    }
  }

  function end(batch: StoredProposal): void {
    journal.move(batch, 'withdrawn', { set: { outcome: outcomeWith('batch_over') } });
    hide(batch.id);
  }

  function sweep(): void {
    due = null;
    for (const batch of store.proposals.undecidedBatches()) {
      try {
        if (!listedMembersOf(store, batch).some(({ state }) => isUndecided(state))) end(batch);
      } catch (failure) {
        logger.info(
          { failure, proposal: batch.id },
          'A batch without waiting members could not be withdrawn',
        );
      }
    }
  }

  const isSendable = (member: StoredProposal): boolean =>
    !isWithheld(store, member) && !hasApprovalEnded(member, clock.nowMs());

  return {
    /**
     * Fails with `batch_over` if no member waits, and withdraws the
     * batch. Fails with `fingerprint_mismatch` if a member was altered.
     */
    assertAsks,
    /** Moves the proposed members in the caller's transaction. */
    show(batch: StoredProposal, { by = {} }: Move): void {
      for (const member of listedMembersOf(store, batch)) {
        if (member.state === 'proposed') journal.show(member, { ...by, batch: batch.id });
      }
    },
    /**
     * Moves the waiting members in the caller's transaction. Approves
     * no member that is locked or whose service approval has ended.
     */
    follow(batch: StoredProposal, to: 'approved' | 'denied', { by = {}, set = {} }: Move): Followed[] {
      const how: Move = { by: { ...by, batch: batch.id }, set };
      const moving = waiting(batch).filter((member) => to === 'denied' || isSendable(member));
      return moving.map((member) => {
        const seen = member.state === 'proposed' ? journal.move(member, 'shown', how) : member;
        const { id, fingerprint } = journal.move(seen, to, how);
        return { id, fingerprint };
      });
    },
    look(): void {
      if (!isOver) due ??= setImmediate(sweep);
    },
    dispose(): void {
      isOver = true;
      if (due !== null) clearImmediate(due);
    },
  };
}
