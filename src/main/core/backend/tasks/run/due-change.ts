import type { BackendReader } from '#core/store/backend/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { loadOwned } from '../../member/stored-campaign.ts';
import type { ChangeTask } from '../definition/definition.ts';

/** A change as `Operations` prepares it. */
export interface DueChange {
  kind: string;
  args: JsonObject;
  /** Everything is as it is wanted already. */
  isDone: boolean;
}

/** What a task would change now. Fails with `campaign_not_found`. */
export function dueChange(read: BackendReader, uid: number, task: ChangeTask): DueChange {
  switch (task.kind) {
    case 'campaign_status': {
      const { cids, status } = task.parameters;
      const found = [...read.statuses(uid, cids).values()];
      const isDone = found.every((code) => statusNames[code].toLowerCase() === status);
      return { kind: 'campaign_status', args: { ids: cids, status }, isDone };
    }
    case 'campaign_bid': {
      const { cid, payout } = task.parameters;
      const isDone = loadOwned(read, uid, cid)['payout'] === payout;
      return { kind: 'campaign_update', args: { cid, changes: { payout } }, isDone };
    }
    default:
      return assertNever(task);
  }
}
