import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Proposer } from '../lifecycle/journal.ts';
import type { Proposing } from '../proposing/proposing.ts';
import { draftBatch } from './payload.ts';
import { prepareSeveral, type SeveralWrites } from './several.ts';
import { draftTogether } from './together.ts';

/** Makes batches: of proposals that wait, and of several writes of the app's own. */
export interface Batching {
  /** Fails with `batch_unequal` or `proposal_not_found`. */
  together(ids: readonly string[]): StoredProposal;
  /** The writes and their batch are proposed at once or not at all. Fails as each of the writes would. */
  several(wish: SeveralWrites): Promise<StoredProposal>;
}

export interface BatchingOptions {
  store: AppStore;
  connections: Pick<Connections, 'of' | 'current'>;
  clock: Clock;
  add: Proposing['add'];
  /** Who makes a batch is the person. */
  you(profile: Proposer['profile']): Proposer;
}

export function createBatching({ store, connections, clock, add, you }: BatchingOptions): Batching {
  return {
    together(ids) {
      const { draft, profile } = draftTogether(store, ids);
      return only(add([draft], you(profile)));
    },
    async several(wish) {
      const connection = connections.current();
      const { member: client, profile } = connection;
      const today = serviceDay(clock.nowMs(), profile.zone);
      const drafts = await prepareSeveral({ client, today }, wish);
      if (connections.of(profile.id) !== connection) throw new AppError('profile_changed');
      return store.transaction(() => {
        const members = add(drafts, you(viewOf(profile)), wish);
        const [first] = members;
        return only(add([draftBatch({ ...wish, members })], you(first?.profile ?? viewOf(profile))));
      });
    },
  };
}

function only([batch]: readonly StoredProposal[]): StoredProposal {
  if (batch === undefined) throw new Error('One draft makes one proposal');
  return batch;
}
