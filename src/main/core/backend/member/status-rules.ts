import { leastActivationMicros, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendReader, BackendStore } from '#core/store/backend/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

interface StatusUpdate {
  uid: number;
  read: BackendReader;
  ids: readonly number[];
  status: StatusCode;
  /** The current status of each of the member's campaigns among the ids. */
  found: ReadonlyMap<number, StatusCode>;
}

const checks: readonly ((update: StatusUpdate) => void)[] = [
  ({ status }) => rejectPendingTarget(status),
  rejectUnknownIds,
  ({ read, found, status }) => found.forEach((_from, cid) => rejectApproval(read, cid, status)),
  ({ uid, read, status }) => requireBalance(read, uid, status),
];

/** A change of status: the member, the campaigns, the new status. */
interface StatusRequest {
  uid: number;
  ids: readonly number[];
  status: StatusCode;
}

/**
 * Checks a change of status as the member API and the remote tools do, and returns what the campaigns have now (contract §4.1,
 * §3). Fails with `operation_refused`, `campaign_not_found` or `insufficient_balance`.
 */
export function checkedStatuses(
  read: BackendReader,
  { uid, ids, status }: StatusRequest,
): ReadonlyMap<number, StatusCode> {
  const found = read.statuses(uid, ids);
  for (const check of checks) check({ uid, read, ids, status, found });
  return found;
}

/** The same, and stores it for all of them; call inside a transaction. */
export function storeStatus(
  { read, write }: Pick<BackendStore, 'read' | 'write'>,
  request: StatusRequest,
): void {
  checkedStatuses(read, request);
  write.setStatus(request.ids, request.status);
}

/** Absent and foreign ids are named alike. Fails with `campaign_not_found`. */
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

/** No member makes a campaign pending again (contract §3). Fails with `operation_refused`. */
export function rejectPendingTarget(to: StatusCode): void {
  if (to === pending) {
    throw new AppError('operation_refused', { message: 'Members cannot set campaigns to Pending.' });
  }
}

/**
 * Refuses to approve or start a campaign in review (contract §3), even after it was paused or suspended. Fails with
 * `operation_refused`.
 */
export function rejectApproval(read: BackendReader, cid: number, to: StatusCode): void {
  if ((to === active || to === scheduled) && read.isUnapproved(cid)) {
    throw new AppError('operation_refused', {
      message: sentence`Members cannot approve pending campaigns. Campaign ${cid} was never approved.`,
    });
  }
}

/** Activating needs $1.00 available (contract §3, §8). Fails with `insufficient_balance`. */
export function requireBalance(read: BackendReader, uid: number, to: StatusCode): void {
  if (to !== active) return;
  const available = read.member(uid)?.balanceMicros ?? 0;
  if (available < leastActivationMicros) throw new AppError('insufficient_balance');
}
