import type { AppHandlers, CampaignChanges, CampaignDetail } from '#shared/app-api/index.ts';
import { typeOf } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** A campaign worth showing and a bid for it that its type allows. */
export interface ChosenChange {
  cid: number;
  detail: CampaignDetail;
  changes: CampaignChanges;
}

/** Finds an Active campaign whose bid can be raised by a fifth. Fails with `campaign_not_found` when there is none. */
export async function chooseChange(
  handlers: Pick<AppHandlers, 'campaigns.page' | 'campaigns.get'>,
): Promise<ChosenChange> {
  const filter = { query: '', status: 1, types: [], sort: 'cid', order: 'asc' } as const;
  const { rows } = await handlers['campaigns.page']({
    filter: { ...filter, types: [] },
    page: 1,
    perPage: 20,
  });
  for (const { cid } of rows) {
    const detail = await handlers['campaigns.get']({ cid });
    const change = raiseBid(detail);
    if (change !== null) return { cid, detail, changes: [change] };
  }
  throw new AppError('campaign_not_found', { message: 'No Active campaign has a bid that could be raised.' });
}

function raiseBid({ edit, lockedBy }: CampaignDetail): CampaignChanges[number] | null {
  const from = edit.campaign['payout'];
  const type = typeOf(edit.campaign, { types: edit.campaign_types, settings: edit.settings });
  if (typeof from !== 'number' || type === undefined || lockedBy !== null) return null;
  const to = Number((from * 1.2).toFixed(3));
  return to > from && to <= type.maxBid ? { field: 'payout', from, to } : null;
}
