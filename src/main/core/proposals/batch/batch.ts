import type { Journal } from '../lifecycle/journal.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Operation } from '../operations/operation.ts';
import { batchOutcome, isUnsettled, listedMembers, readBatch } from './payload.ts';

/** Several proposals under one decision, each with its own result. It sends nothing itself: see `createBatchDelivery`. */
export function createBatchOperation({
  store,
  journal,
}: {
  store: AppStore;
  journal: Pick<Journal, 'move'>;
}): Operation {
  return {
    reread: itself,
    send: itself,
    readBack: itself,
    async settle(batch, settleMember) {
      const { members } = readBatch(batch);
      for (const { id } of listedMembers(store, members).filter(isUnsettled)) await settleMember(id);
      const now = listedMembers(store, members);
      if (now.some(isUnsettled)) return batch;
      return journal.move(batch, 'done', { set: { outcome: batchOutcome(now) } });
    },
  };
}

function itself(): never {
  throw new Error('A batch is sent member by member');
}
