import type { CampaignFilter } from '#shared/app-api/index.ts';
import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';

/** A row with the time of its read. */
export interface KeptListRow {
  row: CampaignRow;
  readAtMs: number;
}

/**
 * The filter of the list (contract §4.1) over rows that were read earlier: text is looked for in names, a number is an exact
 * cid. `typeNames` are the names of the types that the filter wants, null for every type.
 */
export function filterKept(
  rows: readonly KeptListRow[],
  filter: CampaignFilter,
  typeNames: ReadonlySet<string> | null,
): KeptListRow[] {
  const query = filter.query.trim();
  const cid = /^\d+$/.test(query) ? Number(query) : null;
  const text = query.toLowerCase();
  return rows
    .filter(
      ({ row }) =>
        (filter.status === null || row.status === filter.status) &&
        (typeNames === null || typeNames.has(row.type_name)) &&
        (cid === null ? row.name.toLowerCase().includes(text) : row.cid === cid),
    )
    .toSorted(byColumn(filter.sort, filter.order));
}

/** Rows that are equal in the column stand in the order of their cids. */
function byColumn(column: SortColumn, order: 'asc' | 'desc') {
  const direction = order === 'asc' ? 1 : -1;
  return (left: KeptListRow, right: KeptListRow): number =>
    direction * (compare(left.row[column], right.row[column]) || left.row.cid - right.row.cid);
}

function compare(left: CampaignRow[SortColumn], right: CampaignRow[SortColumn]): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [first, second] = [textOf(left), textOf(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function textOf(value: CampaignRow[SortColumn]): string {
  return Array.isArray(value) ? value.join(',') : String(value).toLowerCase();
}
