import { type Clock, momentNow, passedSince } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { decisionCountsMs } from './compare-before-sending.ts';
import type { Approved } from './approved-writes.ts';
import type { Journal } from '../lifecycle/journal/journal.ts';
import type { Unrecorded } from '../lifecycle/recovery.ts';
import { asSettled } from '../operations/outcome.ts';
import { batchOutcome, isUnsettled } from '../operations/batch/prepare.ts';
import { readBatch } from '../operations/batch/stored-parts.ts';
import { loadMembers, loadProposal } from '../operations/load-proposal.ts';

export interface BatchDeliveryOptions {
  store: AppStore;
  journal: Journal;
  unrecorded: Unrecorded;
  clock: Clock;
  logger: Logger;
  settler: { watch(id: string): void };
  /** Takes one approved member to its end. */
  deliver(member: Approved): Promise<unknown>;
}

/**
 * Executes the approved members of a batch one after another: each is read again, sent and read back by itself, and
 * none blocks the others. A decision counts for each member from the end of the one before. An outdated member is proposed again alone. The batch settles once all members have
 * settled; an unknown outcome is settled afterwards. Fails only with `stopped_before_sending`, when the batch itself cannot be read.
 */
export function createBatchDelivery(options: BatchDeliveryOptions) {
  const { store, journal, unrecorded, clock, logger, settler, deliver } = options;

  async function deliverMember(member: Approved): Promise<void> {
    try {
      await deliver(member);
    } catch (failure) {
      // It was left over, and is put right once it can be read.
      if (!(failure instanceof AppError)) throw failure;
      logger.error({ failure, proposal: member.id }, 'A member of a batch could not be executed');
    }
  }

  /** Without the batch's intent on the disk none of its members is begun. */
  function begin(id: string, members: readonly Approved[]): StoredProposal {
    try {
      return journal.move(loadProposal(store, id), 'intent', { set: { intentAtMs: clock.nowMs() } });
    } catch (failure) {
      logger.error({ failure, proposal: id }, 'An approved batch that was not begun could not be recorded');
      for (const left of [{ id }, ...members]) unrecorded.remember(left.id, { kind: 'none' });
      throw new AppError('stopped_before_sending', { cause: failure });
    }
  }

  function finish(intent: StoredProposal): StoredProposal {
    try {
      return store.transaction(() => {
        const members = loadMembers(store, readBatch(intent).members);
        const sent = journal.move(intent, 'sent');
        const to = members.some(isUnsettled) ? 'unknown' : 'done';
        return journal.move(sent, to, { set: { outcome: batchOutcome(members) } });
      });
    } catch (failure) {
      logger.error({ failure, proposal: intent.id }, 'What came of a batch could not be recorded');
      unrecorded.remember(intent.id, { kind: 'none' });
      return asSettled(intent, { kind: 'none' });
    }
  }

  async function execute(batchId: string, members: readonly Approved[]): Promise<StoredProposal> {
    const intent = begin(batchId, members);
    let turn = momentNow(clock);
    for (const member of members) {
      await deliverMember({ ...member, turn });
      // A turn that took so long was no turn: the machine slept, and the decision no longer counts for the rest.
      if (passedSince(turn, clock) < decisionCountsMs) turn = momentNow(clock);
    }
    return finish(intent);
  }

  return (batchId: string, members: readonly Approved[]): Promise<StoredProposal> =>
    execute(batchId, members).finally(() => {
      for (const left of [...members, { id: batchId }]) settler.watch(left.id);
    });
}
