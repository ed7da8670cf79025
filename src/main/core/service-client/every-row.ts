import { type CampaignRow, listLimits, type StatusCode } from '#shared/contract/index.ts';
import type { MemberClient } from './member-client.ts';

/** A list that was read in pages. */
export interface EveryRow {
  rows: CampaignRow[];
  /** False if campaigns came or went meanwhile: others may have slipped past between two pages. */
  isSteady: boolean;
}

/**
 * Reads every campaign of the account, or each with one status, in the largest pages and by id (contract §4.1). One that moves
 * between pages is in it once, as it was read last. Ends at a page that brings nothing new, however many the service says there are.
 */
export async function readEveryRow(
  client: Pick<MemberClient, 'list'>,
  { status, signal }: { status?: StatusCode; signal?: AbortSignal } = {},
): Promise<EveryRow> {
  const rows = new Map<number, CampaignRow>();
  const totals = new Set<number>();
  const query = {
    perPage: listLimits.maxPerPage,
    sort: 'cid',
    order: 'asc',
    ...(status === undefined ? {} : { status }),
  } as const;
  for (let page = listLimits.firstPage; ; page += 1) {
    const known = rows.size;
    const { data, total, totalPages } = await client.list({ ...query, page }, signal);
    for (const row of data) rows.set(row.cid, row);
    totals.add(total);
    if (rows.size === known || page >= totalPages) break;
  }
  return { rows: [...rows.values()], isSteady: totals.size === 1 && totals.has(rows.size) };
}
