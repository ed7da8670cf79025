import type { FirstScreen } from '#shared/host-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';

export function campaignRow(cid: number, change: Partial<CampaignRow> = {}): CampaignRow {
  return {
    cid,
    uid: 1001,
    type_name: 'Push',
    name: `Campaign ${cid}`,
    website: 'https://example.com/',
    geo: ['DE'],
    payout: 0.05,
    d_revenue: 50,
    t_revenue: 0,
    daily_budget: 1,
    total_budget: 0,
    bid_control_count: 0,
    status: 1,
    status_name: 'Active',
    ...change,
  };
}

const readAtMs = Date.now() - 24 * 3_600_000;

/** A first screen of Demo that was kept a day ago. */
export function firstScreenOf(change: Partial<FirstScreen> = {}): FirstScreen {
  return {
    version: '0.1.0',
    keptAtMs: readAtMs + 2_000,
    profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1001', zone: 'UTC' },
    origins: ['http://127.0.0.1:4000'],
    formats: { numbers: 'comma', moments: 'service' },
    rows: [campaignRow(1003), campaignRow(1002), campaignRow(1001)],
    total: 3,
    readAtMs,
    waiting: 2,
    drafts: 1,
    ...change,
  };
}
