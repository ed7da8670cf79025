import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader, CampaignRecord } from '#core/store/backend/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';

/** The campaign id of a path; a text that is none names no campaign. Fails with `campaign_not_found`. */
export function readCid(params: unknown): number {
  const { cid = '' } = params as { cid?: string };
  if (!/^[1-9]\d{0,14}$/.test(cid)) throw new AppError('campaign_not_found');
  return Number(cid);
}

/** The stored campaign as JSON text. Fails with `campaign_not_found`, the same for an absent and a foreign one. */
export function loadOwnedText(read: BackendReader, uid: number, cid: number): string {
  const text = read.payload(uid, cid);
  if (text === null) throw new AppError('campaign_not_found');
  return text;
}

/** The same, parsed. */
export function loadOwned(read: BackendReader, uid: number, cid: number): JsonObject {
  return JSON.parse(loadOwnedText(read, uid, cid)) as JsonObject;
}

/**
 * A validated campaign with its list row (contract §2.2). The contract names budget settings and budgets without
 * saying how they differ: `d_revenue` and `t_revenue` are the settings as they stand, `daily_budget` and
 * `total_budget` what is in force, 0 while budgeting is off.
 */
export function recordOf(payload: JsonObject, { types }: CampaignContext): CampaignRecord {
  const type = numberOf(payload, 'type');
  const status = numberOf(payload, 'status');
  if (!isStatusCode(status)) throw new Error(`A campaign cannot have the status ${status}`);
  const inForce = payload['enable_budget'] === 1 ? 1 : 0;
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
      daily_budget: inForce * numberOf(payload, 'd_revenue'),
      total_budget: inForce * numberOf(payload, 't_revenue'),
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

/** Not applicable fields may be null. */
function textOf(payload: JsonObject, field: string): string {
  const value = payload[field];
  return typeof value === 'string' ? value : '';
}

function listOf(payload: JsonObject, field: string): readonly unknown[] {
  const value = payload[field];
  return Array.isArray(value) ? value : [];
}
