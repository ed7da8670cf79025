import type { Clock, Moment } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createKeyedQueue } from '#core/platform/work-queues.ts';

/** A person's approval. `fingerprint` is that of the shown proposal, from memory: the disk may have been tampered with. */
export interface Approved {
  id: string;
  fingerprint: string;
  approvedAtMs: number;
  /** When the delivery of its batch reached this member; absent outside of batches. */
  turn?: Moment;
}

export interface Attempt {
  proposal: StoredProposal;
  sent: number;
  /** When the latest comparison allowed sending; null before the first comparison. */
  compared: Moment | null;
}

const channelOf: Readonly<Record<StoredProposal['operation'], 'member' | 'tools' | 'here'>> = {
  'campaign.update': 'member',
  'campaign.status': 'member',
  'tool.call': 'tools',
  'agent.admit': 'here',
  batch: 'here',
};

type InTurn = <T>(id: string, work: () => Promise<T>) => Promise<T>;

/** Sends a profile's writes in sequence per channel, so that a hanging tool delays neither other profiles nor an emergency pause. */
export function createWriteQueues({ proposals }: Pick<AppStore, 'proposals'>): InTurn {
  const turns = createKeyedQueue();

  function keyOf(id: string): string {
    try {
      const proposal = proposals.findListed(id);
      return proposal === null ? id : `${proposal.profile.id} ${channelOf[proposal.operation]}`;
    } catch (failure) {
      // The delivery will read the proposal, fail in the same way, and report the failure.
      if (failure instanceof AppError) return id;
      throw failure;
    }
  }

  return (id, work) => turns(keyOf(id), work);
}

export type Pauses = ReturnType<typeof createPauses>;

export function createPauses(clock: Clock) {
  const waits = new Set<{ isWanted(): boolean; end(): void }>();
  return {
    /** Resolves after `ms`, or earlier if a call of `look` finds that the write is no longer wanted. */
    async pass(ms: number, isWanted: () => boolean): Promise<void> {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const cancel = clock.after(ms, end);
      const wait = { isWanted, end };
      waits.add(wait);
      if (!isWanted()) end();
      await promise;
      waits.delete(wait);
      cancel();
    },
    look(): void {
      for (const { isWanted, end } of waits) if (!isWanted()) end();
    },
  };
}
