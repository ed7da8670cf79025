import type { SortColumn } from '#shared/contract/index.ts';

/** How the list is walked in the order of one column. */
export interface SortKey {
  /** What is compared first; ties go by cid in the same direction. */
  column: string;
  /** Its index: the owner, the column, cid, then what can be filtered. */
  index: string;
}

function key(column: string): SortKey {
  return { column, index: `campaign_by_${column}` };
}

/** One index for each column of the list (contract §4.1). Within one owner `uid` orders like `cid`. */
export const sortKeys: Readonly<Record<SortColumn, SortKey>> = {
  cid: key('cid'),
  uid: key('cid'),
  type_name: key('type_name'),
  name: key('name_folded'),
  website: key('website'),
  geo: key('geo'),
  payout: key('payout'),
  d_revenue: key('d_revenue'),
  t_revenue: key('t_revenue'),
  daily_budget: key('daily_budget'),
  total_budget: key('total_budget'),
  bid_control_count: key('bid_control_count'),
  status: key('status'),
  status_name: key('status_name'),
};
