import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { checkedUpdate } from '../member/campaign-update.ts';
import { loadOwned } from '../member/stored-campaign.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';
import type { TaskDefinition } from './definition.ts';

/** Where the things are that tasks work on. */
export interface TaskTargets {
  service: BackendService;
  reports: Pick<PublisherReports, 'sources'>;
}

/**
 * Whether what a task works on is the member's own. Fails with `campaign_not_found` or `source_forbidden`, the same for
 * absent and foreign ones.
 */
export function requireTargets(
  { service, reports }: TaskTargets,
  uid: number,
  definition: TaskDefinition,
): void {
  switch (definition.kind) {
    case 'report_export': {
      const { parameters } = definition;
      const { tids, feeds } = reports.sources(uid);
      if (parameters.report === 'xml' && !tids.includes(parameters.tid))
        throw new AppError('source_forbidden');
      const { sid } = parameters.report === 'search' ? parameters : {};
      if (sid !== undefined && !feeds.includes(sid)) throw new AppError('source_forbidden');
      return;
    }
    case 'campaign_status':
      requireCampaigns(service, uid, definition.parameters.cids);
      return;
    case 'campaign_bid':
      requireCampaigns(service, uid, [definition.parameters.cid]);
      return;
    default:
      assertNever(definition);
  }
}

/** Whether a bid would be taken now, by the rules of every update. Fails as `checkedUpdate`. */
export function requirePossibleBid({ service }: TaskTargets, uid: number, definition: TaskDefinition): void {
  if (definition.kind !== 'campaign_bid') return;
  const { cid, payout } = definition.parameters;
  const stored = loadOwned(service.store.read, uid, cid);
  checkedUpdate(service, { uid, cid, sent: { ...stored, payout } });
}

function requireCampaigns({ store }: BackendService, uid: number, cids: readonly number[]): void {
  const found = store.read.statuses(uid, cids);
  const fields = cids
    .filter((cid) => !found.has(cid))
    .map((cid) => ({
      field: 'parameters',
      code: 'not_found',
      message: `Campaign ${cid} does not exist in this account.`,
    }));
  if (fields.length > 0) throw new AppError('campaign_not_found', { fields });
}
