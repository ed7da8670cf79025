import type { StatusCode } from '#shared/contract/index.ts';
import type { CampaignUpdate } from '../campaign-update.ts';
import { rejectApproval, rejectPendingTarget, requireBalance } from './status-move.ts';

/** A full update that changes the status follows the rules of update-status; an unchanged status passes. */
export function rejectForbiddenStatus({ payload, stored, uid, read }: CampaignUpdate): void {
  const from = stored['status'] as StatusCode;
  const to = payload['status'] as StatusCode;
  if (from === to) return;
  rejectPendingTarget(to);
  rejectApproval(read, Number(stored['cid']), to);
  requireBalance(read, uid, to);
}
