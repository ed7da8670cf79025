import { normaliseCampaign } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader, BackendStore } from '#core/store/backend/index.ts';
import { recordOf } from './campaign-record.ts';
import { rejectForbiddenStatus } from './checks/changed-status.ts';
import { rejectForeignOwner } from './checks/owner.ts';
import { rejectInvalidPayload } from './checks/valid-payload.ts';
import { loadOwned } from './owned-campaign.ts';

/** A full update on its way: what was sent and what it would replace. */
export interface CampaignUpdate {
  uid: number;
  read: BackendReader;
  payload: JsonObject;
  stored: JsonObject;
  context: CampaignContext;
}

/** What a full update must pass, in this order. */
const checks: readonly ((update: CampaignUpdate) => void)[] = [
  rejectForeignOwner,
  rejectInvalidPayload,
  rejectForbiddenStatus,
];

/** Where campaigns are and what they are checked against. */
export interface CampaignPlace {
  store: BackendStore;
  context: CampaignContext;
}

/**
 * Checks a full update as every door of the service does, and returns the campaign that it would store (contract §4.1,
 * rules 1 and 2). Fails with `campaign_not_found`, `forbidden`, `validation_failed`, `operation_refused` or
 * `insufficient_balance`.
 */
export function checkedUpdate(
  { store, context }: CampaignPlace,
  { uid, cid, sent }: { uid: number; cid: number; sent: JsonObject },
): JsonObject {
  const { read } = store;
  const stored = loadOwned(read, uid, cid);
  const update = { uid, read, payload: withPathCid(sent, cid), stored, context };
  for (const check of checks) check(update);
  return normaliseCampaign(update.payload);
}

/** The same, and stores it; call inside a transaction. */
export function storeUpdate(
  place: CampaignPlace,
  update: { uid: number; cid: number; sent: JsonObject },
): void {
  place.store.write.replaceCampaign(recordOf(checkedUpdate(place, update), place.context));
}

/** The path cid is authoritative (contract §4.1, rule 2); a body without the key is still incomplete. */
function withPathCid(sent: JsonObject, cid: number): JsonObject {
  return Object.hasOwn(sent, 'cid') ? { ...sent, cid } : sent;
}
