import type { BackendReader, CampaignRecord, BackendStore } from '#core/store/backend/index.ts';
import { normaliseCampaign, validateCampaign } from '#shared/campaign/index.ts';
import {
  isStatusCode,
  statusNames,
  type CampaignContext,
  type StatusCode,
  leastActivationMicros,
} from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';

export function readCid(params: unknown): number {
  const { cid = '' } = params as { cid?: string };
  if (!/^[1-9]\d{0,14}$/.test(cid)) throw new AppError('campaign_not_found');
  return Number(cid);
}

/** Returns the campaign as JSON text. Fails with `campaign_not_found`, also for another member's campaign. */
export function loadOwnedText(read: BackendReader, uid: number, cid: number): string {
  const text = read.payload(uid, cid);
  if (text === null) throw new AppError('campaign_not_found');
  return text;
}

export function loadOwned(read: BackendReader, uid: number, cid: number): JsonObject {
  return JSON.parse(loadOwnedText(read, uid, cid)) as JsonObject;
}

/**
 * Builds the stored record (contract §2.2). The contract leaves two points open: `d_revenue` and `t_revenue` contain the
 * configured budgets, `daily_budget` and `total_budget` the effective limits, which are 0 while budgeting is off.
 */
export function recordOf(payload: JsonObject, { types }: CampaignContext): CampaignRecord {
  const type = numberOf(payload, 'type');
  const status = numberOf(payload, 'status');
  if (!isStatusCode(status)) throw new Error(`A campaign cannot have the status ${status}`);
  const budgetFactor = payload['enable_budget'] === 1 ? 1 : 0;
  return {
    payload,
    type,
    row: {
      cid: numberOf(payload, 'cid'),
      uid: numberOf(payload, 'uid'),
      type_name: types[String(type)]?.name ?? '',
      name: textOf(payload, 'name'),
      website: textOf(payload, 'website'),
      geo: listOf(payload, 'geo').map(String),
      payout: numberOf(payload, 'payout'),
      d_revenue: numberOf(payload, 'd_revenue'),
      t_revenue: numberOf(payload, 't_revenue'),
      daily_budget: budgetFactor * numberOf(payload, 'd_revenue'),
      total_budget: budgetFactor * numberOf(payload, 't_revenue'),
      bid_control_count: listOf(payload, 'bidControl').length,
      status,
      status_name: statusNames[status],
    },
  };
}

function numberOf(payload: JsonObject, field: string): number {
  const value = payload[field];
  if (typeof value !== 'number') throw new Error(`The field ${field} of a valid campaign must be a number`);
  return value;
}

function textOf(payload: JsonObject, field: string): string {
  const value = payload[field];
  return typeof value === 'string' ? value : '';
}

function listOf(payload: JsonObject, field: string): readonly unknown[] {
  const value = payload[field];
  return Array.isArray(value) ? value : [];
}

interface CampaignUpdate {
  uid: number;
  read: BackendReader;
  payload: JsonObject;
  stored: JsonObject;
  context: CampaignContext;
}

const updateChecks: readonly ((update: CampaignUpdate) => void)[] = [
  rejectForeignOwner,
  rejectInvalidPayload,
  rejectForbiddenStatus,
];

interface CampaignStore {
  store: Pick<BackendStore, 'read' | 'write'>;
  context: CampaignContext;
}

/**
 * Returns the campaign that the update would store (contract §4.1, rules 1 and 2). Fails with `campaign_not_found`, `forbidden`,
 * `validation_failed`, `operation_refused` or `insufficient_balance`.
 */
export function validateUpdate(
  { store, context }: CampaignStore,
  { uid, cid, sent }: { uid: number; cid: number; sent: JsonObject },
): JsonObject {
  const { read } = store;
  const stored = loadOwned(read, uid, cid);
  const update = { uid, read, payload: withPathCid(sent, cid), stored, context };
  for (const check of updateChecks) check(update);
  return normaliseCampaign(update.payload);
}

/** Must run inside a transaction. Fails as {@link validateUpdate} does. */
export function storeUpdate(
  place: CampaignStore,
  update: { uid: number; cid: number; sent: JsonObject },
): void {
  place.store.write.replaceCampaign(recordOf(validateUpdate(place, update), place.context));
}

/** The path's cid is authoritative (contract §4.1, rule 2); a body without the key is still incomplete. */
function withPathCid(sent: JsonObject, cid: number): JsonObject {
  return Object.hasOwn(sent, 'cid') ? { ...sent, cid } : sent;
}

/** Contract §2.4, §7.1. */
function rejectForeignOwner({ payload, stored }: CampaignUpdate): void {
  const uid = payload['uid'];
  if (Number.isInteger(uid) && uid !== stored['uid']) {
    throw new AppError('forbidden', { message: 'A campaign cannot be moved to another account.' });
  }
}

function rejectInvalidPayload({ payload, stored, context }: CampaignUpdate): void {
  const fields = validateCampaign(payload, context, stored, defaultFormats);
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

function rejectForbiddenStatus({ payload, stored, uid, read }: CampaignUpdate): void {
  const from = stored['status'] as StatusCode;
  const to = payload['status'] as StatusCode;
  if (from === to) return;
  rejectPendingTarget(to);
  rejectApproval(read, Number(stored['cid']), to);
  requireBalance(read, uid, to);
}

interface StatusUpdate {
  uid: number;
  read: BackendReader;
  ids: readonly number[];
  status: StatusCode;
  found: ReadonlyMap<number, StatusCode>;
}

const statusChecks: readonly ((update: StatusUpdate) => void)[] = [
  ({ status }) => rejectPendingTarget(status),
  rejectUnknownIds,
  ({ read, found, status }) => found.forEach((_from, cid) => rejectApproval(read, cid, status)),
  ({ uid, read, status }) => requireBalance(read, uid, status),
];

interface StatusRequest {
  uid: number;
  ids: readonly number[];
  status: StatusCode;
}

/** Returns the current statuses (contract §4.1, §3). Fails with `operation_refused`, `campaign_not_found` or `insufficient_balance`. */
export function validateStatusUpdate(
  read: BackendReader,
  { uid, ids, status }: StatusRequest,
): ReadonlyMap<number, StatusCode> {
  const found = read.statuses(uid, ids);
  for (const check of statusChecks) check({ uid, read, ids, status, found });
  return found;
}

/** Must run inside a transaction; changes all campaigns or none. Fails as {@link validateStatusUpdate} does. */
export function storeStatus(
  { read, write }: Pick<BackendStore, 'read' | 'write'>,
  request: StatusRequest,
): void {
  validateStatusUpdate(read, request);
  write.setStatus(request.ids, request.status);
}

function rejectUnknownIds({ ids, found }: StatusUpdate): void {
  const fields = ids
    .filter((cid) => !found.has(cid))
    .map((cid) => ({
      field: 'ids',
      code: 'not_found',
      message: sentence`Campaign ${cid} does not exist in this account.`,
    }));
  if (fields.length > 0) {
    throw new AppError('campaign_not_found', {
      message: 'Not every campaign exists in this account. Nothing was changed.',
      fields,
    });
  }
}

const pending = 0;
const active = 1;
const scheduled = 4;

/** Contract §3. */
function rejectPendingTarget(to: StatusCode): void {
  if (to === pending) {
    throw new AppError('operation_refused', { message: 'Members cannot set campaigns to Pending.' });
  }
}

/** A campaign that was never approved cannot be activated or scheduled, even if it is paused or suspended (contract §3). */
function rejectApproval(read: BackendReader, cid: number, to: StatusCode): void {
  if ((to === active || to === scheduled) && read.isUnapproved(cid)) {
    throw new AppError('operation_refused', {
      message: sentence`Members cannot approve pending campaigns. Campaign ${cid} was never approved.`,
    });
  }
}

/** Contract §3, §8. */
function requireBalance(read: BackendReader, uid: number, to: StatusCode): void {
  if (to !== active) return;
  const available = read.member(uid)?.balanceMicros ?? 0;
  if (available < leastActivationMicros) throw new AppError('insufficient_balance');
}
