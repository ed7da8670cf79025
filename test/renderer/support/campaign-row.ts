import type { CampaignRow } from '#shared/contract/index.ts';

/** A plain list row (contract §2.2). */
export function campaignRow(cid: number): CampaignRow {
  return {
    cid,
    uid: 7,
    type_name: 'Push',
    name: `Campaign ${cid}`,
    website: '',
    geo: ['DE'],
    payout: 0.045,
    d_revenue: 50,
    t_revenue: 0,
    daily_budget: 50,
    total_budget: 0,
    bid_control_count: 0,
    status: 1,
    status_name: 'Active',
  };
}
