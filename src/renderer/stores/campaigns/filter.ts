import type { CampaignFilter } from '#shared/app-api/index.ts';
import type { SortColumn } from '#shared/contract/index.ts';

export const noFilter: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'desc' };

/** Columns whose useful first order is the largest first. */
const largestFirst = new Set<SortColumn>([
  'cid',
  'payout',
  'd_revenue',
  't_revenue',
  'daily_budget',
  'total_budget',
  'bid_control_count',
]);

/** The filter after a press on a column's header: its useful order first, then the reverse. */
export function sortedBy(filter: CampaignFilter, sort: SortColumn): CampaignFilter {
  const first = largestFirst.has(sort) ? 'desc' : 'asc';
  if (filter.sort !== sort) return { ...filter, sort, order: first };
  return { ...filter, order: filter.order === 'asc' ? 'desc' : 'asc' };
}

/** True when the filter hides rows. */
export function narrows(filter: CampaignFilter): boolean {
  return filter.query.trim() !== '' || filter.status !== null || filter.types.length > 0;
}

/** The filter without what hides rows; the order stays. */
export function cleared(filter: CampaignFilter): CampaignFilter {
  return { ...noFilter, sort: filter.sort, order: filter.order };
}
