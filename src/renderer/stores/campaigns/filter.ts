import { type CampaignFilter, noFilter } from '#shared/app-api/index.ts';
import type { SortColumn } from '#shared/contract/index.ts';
import { type CampaignCondition, textMatcher } from '#shared/find/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { indexOfCampaign, loadedRows, type PagedList } from './paged-list.ts';

const largestFirst = new Set<SortColumn>(['cid', 'payout', 'd_revenue', 't_revenue', 'bid_control_count']);

export function sortedBy(filter: CampaignFilter, sort: SortColumn): CampaignFilter {
  const first = largestFirst.has(sort) ? 'desc' : 'asc';
  if (filter.sort !== sort) return { ...filter, sort, order: first };
  return { ...filter, order: filter.order === 'asc' ? 'desc' : 'asc' };
}

export function narrows(filter: CampaignFilter, conditions: readonly CampaignCondition[] = []): boolean {
  const { query, status, types } = filter;
  return query.trim() !== '' || status !== null || types.length > 0 || conditions.length > 0;
}

export function findsTheSame(one: CampaignFilter, other: CampaignFilter): boolean {
  return one.query === other.query && one.status === other.status && one.types === other.types;
}

export function cleared(filter: CampaignFilter): CampaignFilter {
  return { ...noFilter, sort: filter.sort, order: filter.order };
}

export interface OneCampaign {
  cid: number;
  stored: JsonObject | undefined;
  typeName: string;
  labels: readonly string[];
}

/** True if the filter certainly hides the campaign: by the list if it was read completely, else by the stored campaign. */
export function excludes(
  list: PagedList,
  filter: CampaignFilter,
  { cid, stored, typeName, labels }: OneCampaign,
  labelNames: ReadonlyMap<string, string>,
): boolean {
  if (indexOfCampaign(list, cid) !== null) return false;
  if (loadedRows(list).length >= list.total) return true;
  if (stored === undefined) return false;
  const { name, geo } = stored;
  const row = {
    cid,
    name: typeof name === 'string' ? name : '',
    type_name: typeName,
    geo: Array.isArray(geo) ? geo.map(String) : [],
  };
  return (
    (filter.status !== null && stored['status'] !== filter.status) ||
    (filter.types.length > 0 && !filter.types.includes(Number(stored['type']))) ||
    !textMatcher(filter.query, labelNames)({ row, labels })
  );
}
