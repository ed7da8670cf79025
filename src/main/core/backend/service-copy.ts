import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openBackendCopy } from '#core/store/backend/index.ts';
import type { CampaignEdit, StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { storeUpdate } from './member/campaign-update.ts';
import { storeStatus } from './member/status-update.ts';
import { loadOwned, recordOf } from './member/stored-campaign.ts';

/** A write of one campaign: the complete payload, or nothing but its status (contract §4.1). */
export type CopiedWrite = { kind: 'update'; payload: JsonObject } | { kind: 'status'; status: StatusCode };

/** The service in memory, without an address: each campaign is copied from a read, written as the member API writes it, and removed. */
export interface ServiceCopy extends AsyncDisposable {
  /**
   * Returns the campaign as it is stored after the write, or null for one that cannot be copied. Fails as the member API refuses:
   * `validation_failed`, `operation_refused`, `insufficient_balance` or `forbidden`.
   */
  write(read: CampaignEdit, write: CopiedWrite): JsonObject | null;
}

const undo = new Error('Everything was read: the transaction is rolled back');

/** An account whose balance is not known can pay for anything. */
const amplyMicros = Number.MAX_SAFE_INTEGER;

/** Makes an empty copy. `balanceOf` an account is in integer micros, null where it is not known. */
export function createServiceCopy({
  logger,
  balanceOf,
}: {
  logger: Logger;
  balanceOf(uid: number): number | null;
}): ServiceCopy {
  const store = openBackendCopy(logger);
  const { read: stored, write } = store;

  function addOwner(uid: number): void {
    if (stored.member(uid) !== null) return;
    const balanceMicros = balanceOf(uid) ?? amplyMicros;
    write.addMember({ uid, name: '', role: 'member', balanceMicros, mcpMenu: false, modules: [] });
  }

  /** Returns the result of the work and rolls it back: thousands of campaigns would fill the memory. */
  function undone<T>(work: () => T): T {
    const results: T[] = [];
    try {
      store.transaction(() => {
        results.push(work());
        throw undo;
      });
    } catch (failure) {
      if (failure !== undo) throw failure;
    }
    const [result] = results;
    if (result === undefined) throw new Error('The work has no result');
    return result;
  }

  return {
    write({ campaign, campaign_types: types, settings }, change) {
      const context = { types, settings };
      const record = copied(campaign, context);
      if (record === null) return null;
      const { cid, uid } = record.row;
      return undone(() => {
        addOwner(uid);
        write.addCampaign(record);
        if (change.kind === 'status') storeStatus(store, { uid, ids: [cid], status: change.status });
        else storeUpdate({ store, context }, { uid, cid, sent: change.payload });
        return loadOwned(stored, uid, cid);
      });
    },
    dispose: store.dispose,
  };
}

/** Null for a campaign without the fields of a list row (contract §2.2). */
function copied(...[campaign, context]: Parameters<typeof recordOf>): ReturnType<typeof recordOf> | null {
  try {
    return recordOf(campaign, context);
  } catch {
    return null;
  }
}
