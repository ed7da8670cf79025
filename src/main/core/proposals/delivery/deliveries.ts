import type { StoredProposal } from '#core/store/app/index.ts';
import type { Expiry } from '../lifecycle/expiry.ts';
import type { Settler } from '../lifecycle/settle-unknown.ts';
import type { Approved } from './next-step.ts';
import type { Deliver } from './successor.ts';
import { createBatchDelivery } from './batch-delivery.ts';
import { createDelivery, type DeliveryOptions } from './deliver-one.ts';
import { createPauses, createWriteQueues } from './write-queues.ts';

/** The deliveries of all approved proposals. What ends with an unknown outcome is settled afterwards. */
export interface Deliveries {
  deliver: Deliver;
  /** Takes an approved batch to its end, with those of its members that were approved with it. Fails as each delivery does. */
  deliverBatch(batchId: string, members: readonly Approved[]): Promise<StoredProposal>;
  /** Something happened that may end a wait before the next sending: the program ends, or agents are frozen. */
  endUnwantedPauses(): void;
}

export interface DeliveriesOptions extends Omit<DeliveryOptions, 'inTurn' | 'pauses' | 'random'> {
  expiry: Pick<Expiry, 'schedule'>;
  settler: Pick<Settler, 'watch'>;
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { store, clock, expiry, settler } = options;
  const pauses = createPauses(clock);
  const send = createDelivery({
    ...options,
    inTurn: createWriteQueues(store),
    pauses,
    random: Math.random,
  });
  const deliver: Deliver = async (approved) => {
    try {
      const delivered = await send(approved);
      if (delivered.successor !== null) expiry.schedule();
      return delivered;
    } finally {
      settler.watch(approved.id);
    }
  };
  const sendBatch = createBatchDelivery({ ...options, deliver });
  return {
    deliver,
    deliverBatch: (id, members) =>
      sendBatch(id, members).finally(() => {
        for (const left of [...members, { id }]) settler.watch(left.id);
      }),
    endUnwantedPauses: pauses.look,
  };
}
