import { normaliseCampaign, validateCampaign } from '#shared/campaign/index.ts';
import type { CampaignContext, StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader, BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { recordOf, loadOwned } from './stored-campaign.ts';
import { rejectApproval, rejectPendingTarget, requireBalance } from './status-rules.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** A full update on its way: what was sent and what it would replace. */
interface CampaignUpdate {
  uid: number;
  read: BackendReader;
  payload: JsonObject;
  stored: JsonObject;
  context: CampaignContext;
}

/** The checks of a full update, in this order. */
const checks: readonly ((update: CampaignUpdate) => void)[] = [
  rejectForeignOwner,
  rejectInvalidPayload,
  rejectForbiddenStatus,
];

/** The stored campaigns, and the types and settings that they are checked against. */
interface CampaignPlace {
  store: Pick<BackendStore, 'read' | 'write'>;
  context: CampaignContext;
}

/**
 * Checks a full update as the member API and the remote tools do, and returns the campaign that it would store (contract §4.1,
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

/** A uid in the body reaches no other account (contract §2.4, §7.1). Fails with `forbidden`. */
function rejectForeignOwner({ payload, stored }: CampaignUpdate): void {
  const uid = payload['uid'];
  if (Number.isInteger(uid) && uid !== stored['uid']) {
    throw new AppError('forbidden', { message: 'A campaign cannot be moved to another account.' });
  }
}

/** The full payload against the selected type and the tenant's settings (contract §4.1, rule 1). Fails with `validation_failed` naming every field. */
function rejectInvalidPayload({ payload, stored, context }: CampaignUpdate): void {
  const fields = validateCampaign(payload, context, stored, usualFormats);
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

/** A full update that changes the status follows the rules of update-status; an unchanged status passes. */
function rejectForbiddenStatus({ payload, stored, uid, read }: CampaignUpdate): void {
  const from = stored['status'] as StatusCode;
  const to = payload['status'] as StatusCode;
  if (from === to) return;
  rejectPendingTarget(to);
  rejectApproval(read, Number(stored['cid']), to);
  requireBalance(read, uid, to);
}
