import { join } from 'node:path';
import { demoAccounts } from '#core/backend/demo-data/credentials.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore, type StoredProposal } from '#core/store/app/index.ts';
import { openBackendStore, type BackendStore } from '#core/store/backend/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** Opens the repositories of a data folder, even while a core has it open. For states that no handler makes or shows. */
export function withStore<T>(folder: string, work: (store: AppStore) => T): T {
  const store = openAppStore({ folder, clock, logger });
  try {
    return work(store);
  } finally {
    void store.dispose();
  }
}

/** Moves a proposal into a state, as a crash during the work would leave it. */
export function leaveProposal(
  folder: string,
  id: string,
  change: Pick<StoredProposal, 'state'> & Partial<StoredProposal>,
): void {
  withStore(folder, ({ proposals }) => {
    const found = proposals.find(id);
    if (found === null) throw new Error(`There is no proposal ${id}`);
    proposals.update({ ...found, ...change }, found.state);
  });
}

/** Like {@link withStore}, for the repositories of the Demo service in this folder. */
export function withService<T>(folder: string, work: (store: BackendStore) => T): T {
  const store = openBackendStore({ file: join(folder, 'backend.sqlite'), clock, logger });
  try {
    return store.transaction(() => work(store));
  } finally {
    void store.dispose();
  }
}

/** Moves a campaign of the buyer to the neighbour. No client can do this, but the service's operator can. */
export function giveCampaignAway(folder: string, cid: number): void {
  const { buyer, neighbour } = demoAccounts('northwind');
  withService(folder, ({ read, write }) => {
    const all = { status: null, types: [], sort: 'cid', order: 'asc', offset: 0, limit: 1 } as const;
    const { rows } = read.list({ uid: buyer.uid, match: { kind: 'cid', cid }, ...all });
    const row = JSON.parse(rows[0] ?? 'null') as CampaignRow;
    const payload = JSON.parse(read.payload(buyer.uid, cid) ?? 'null') as JsonObject;
    write.replaceCampaign({ payload, row: { ...row, uid: neighbour.uid }, type: Number(payload['type']) });
  });
}
