import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createKeyedQueue } from '#core/platform/serial-queue.ts';

/** The ways on which a write leaves: the member's own requests, calls of tools, and what stays in this app. */
const wayOf: Readonly<Record<StoredProposal['operation'], 'member' | 'tools' | 'here'>> = {
  'campaign.update': 'member',
  'campaign.status': 'member',
  'tool.call': 'tools',
  'agent.admit': 'here',
  batch: 'here',
};

/** Runs the delivery of one proposal when it is its turn. */
export type InTurn = <T>(id: string, work: () => Promise<T>) => Promise<T>;

/**
 * Writes of one profile that leave on the same way are carried out one after another. A way that hangs delays no other profile,
 * and a tool that hangs delays no member request: that is how an emergency pause leaves. What keeps two writes off one campaign
 * is its lock.
 */
export function createWays({ proposals }: Pick<AppStore, 'proposals'>): InTurn {
  const turns = createKeyedQueue();

  function keyOf(id: string): string {
    try {
      const proposal = proposals.find(id);
      return proposal === null ? id : `${proposal.profile.id} ${wayOf[proposal.operation]}`;
    } catch (failure) {
      // Its delivery meets the same failure, and tells it.
      if (failure instanceof AppError) return id;
      throw failure;
    }
  }

  return (id, work) => turns(keyOf(id), work);
}
