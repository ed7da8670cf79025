import type { RouteHandlerMethod } from 'fastify';
import type { StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendReader } from '#core/store/backend/index.ts';
import { readJsonObject } from '../http/json-body.ts';
import { rejectApproval, rejectPendingTarget, requireBalance } from './checks/status-move.ts';
import { success } from './member-service.ts';
import type { MemberService } from './member-service.ts';
import { readStatusBody } from './status-body.ts';

/** A change of status on its way. */
interface StatusUpdate {
  uid: number;
  read: BackendReader;
  ids: readonly number[];
  status: StatusCode;
  /** What the member's campaigns among the ids have now. */
  found: ReadonlyMap<number, StatusCode>;
}

/** What a change of status must pass, in this order. */
const checks: readonly ((update: StatusUpdate) => void)[] = [
  ({ status }) => rejectPendingTarget(status),
  rejectUnknownIds,
  ({ found, status }) => found.forEach((from) => rejectApproval(from, status)),
  ({ uid, read, status }) => requireBalance(read, uid, status),
];

/** PUT /login/campaigns/update-status (contract §4.1, §3): all of the campaigns or none. */
export function updateStatus({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const { ids, status } = readStatusBody(readJsonObject(request.body));
    store.transaction(() => {
      const update = { uid, read: store.read, ids, status, found: store.read.statuses(uid, ids) };
      for (const check of checks) check(update);
      store.write.setStatus(ids, status);
    });
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(success('The status was updated.', { updated: ids, status }));
  };
}

/** Absent and foreign ids are named alike. Fails with `campaign_not_found`. */
function rejectUnknownIds({ ids, found }: StatusUpdate): void {
  const fields = ids
    .filter((cid) => !found.has(cid))
    .map((cid) => ({
      field: 'ids',
      code: 'not_found',
      message: `Campaign ${cid} does not exist in this account.`,
    }));
  if (fields.length > 0) {
    throw new AppError('campaign_not_found', {
      message: 'Not every campaign exists in this account. Nothing was changed.',
      fields,
    });
  }
}
