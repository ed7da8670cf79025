import type { Clock, Moment } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createKeyedQueue } from '#core/platform/work-queues.ts';

/** A person's approval: the fingerprint as it was shown, from the core's memory and not from the disk. */
export interface Approved {
  id: string;
  fingerprint: string;
  approvedAtMs: number;
  /** When its turn in a batch came; absent for one that is sent at once. */
  turn?: Moment;
}

export interface Attempt {
  proposal: StoredProposal;
  sent: number;
  /** When it was last compared and could be sent; null before. */
  compared: Moment | null;
}

const channelOf: Readonly<Record<StoredProposal['operation'], 'member' | 'tools' | 'here'>> = {
  'campaign.update': 'member',
  'campaign.status': 'member',
  'tool.call': 'tools',
  'agent.admit': 'here',
  batch: 'here',
};

export type InTurn = <T>(id: string, work: () => Promise<T>) => Promise<T>;

/**
 * Executes the writes of one profile through one channel one after another. A channel that hangs delays no other
 * profile, and a tool that hangs delays no member request, through which an emergency pause is sent. The lock of a
 * campaign keeps two writes to it apart.
 */
export function createWriteQueues({ proposals }: Pick<AppStore, 'proposals'>): InTurn {
  const turns = createKeyedQueue();

  function keyOf(id: string): string {
    try {
      const proposal = proposals.findListed(id);
      return proposal === null ? id : `${proposal.profile.id} ${channelOf[proposal.operation]}`;
    } catch (failure) {
      // Its delivery meets the same failure and reports it.
      if (failure instanceof AppError) return id;
      throw failure;
    }
  }

  return (id, work) => turns(keyOf(id), work);
}

/** Writes that wait for the end of a pause that the service asked for. */
export interface Pauses {
  /** Resolves when so much time has passed, or as soon as a look finds that the write is not wanted any more. */
  pass(ms: number, isWanted: () => boolean): Promise<void>;
  /** Something happened that may end a wait: the program ends, or agents are frozen. */
  look(): void;
}

export function createPauses(clock: Clock): Pauses {
  const waits = new Set<{ isWanted(): boolean; end(): void }>();
  return {
    async pass(ms, isWanted) {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const cancel = clock.after(ms, end);
      const wait = { isWanted, end };
      waits.add(wait);
      if (!isWanted()) end();
      await promise;
      waits.delete(wait);
      cancel();
    },
    look() {
      for (const { isWanted, end } of waits) if (!isWanted()) end();
    },
  };
}
