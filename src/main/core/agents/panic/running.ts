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

/** A row that others push to a page that was read already is missed: the pages are read again until they add up. */
async function rowsOf(client: Lists, status: StatusCode): Promise<CampaignRow[]> {
  const found = new Map<number, CampaignRow>();
  for (let round = 1; round <= mostRounds; round += 1) {
    let page = 1;
    let list: CampaignList;
    do {
      list = await client.list({ page, perPage: listLimits.maxPerPage, sort: 'cid', order: 'asc', status });
      for (const row of list.data) found.set(row.cid, row);
      page += 1;
    } while (page <= list.totalPages);
    if (found.size >= list.total) break;
  }
  return [...found.values()];
}
