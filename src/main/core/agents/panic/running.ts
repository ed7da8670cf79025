import type { MemberClient } from '#core/service-client/index.ts';
import { listLimits, type CampaignList, type CampaignRow, type StatusCode } from '#shared/contract/index.ts';

type Lists = Pick<MemberClient, 'list'>;

/** Rounds after which a list that keeps moving is taken as it was seen. */
const mostRounds = 3;

/** Every campaign with one of these statuses, by list pages alone (contract §4.1). Fails as the reads do. */
export async function rowsWithStatus(
  client: Lists,
  statuses: readonly StatusCode[],
): Promise<ReadonlyMap<number, CampaignRow>> {
  const found = new Map<number, CampaignRow>();
  for (const status of statuses) {
    for (const row of await rowsOf(client, status)) found.set(row.cid, row);
  }
  return found;
}

/** When campaigns come and go between two pages, others slip past: the pages are read again until they fit together. */
async function rowsOf(client: Lists, status: StatusCode): Promise<CampaignRow[]> {
  let round = await readPages(client, status);
  for (let count = 1; count < mostRounds && !round.fits; count += 1) round = await readPages(client, status);
  return round.rows;
}

async function readPages(client: Lists, status: StatusCode): Promise<{ rows: CampaignRow[]; fits: boolean }> {
  const found = new Map<number, CampaignRow>();
  const totals = new Set<number>();
  let page = 1;
  let list: CampaignList;
  do {
    list = await client.list({ page, perPage: listLimits.maxPerPage, sort: 'cid', order: 'asc', status });
    for (const row of list.data) found.set(row.cid, row);
    totals.add(list.total);
    page += 1;
  } while (page <= list.totalPages);
  return { rows: [...found.values()], fits: totals.size === 1 && totals.has(found.size) };
}
