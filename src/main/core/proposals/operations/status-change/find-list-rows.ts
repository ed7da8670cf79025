import type { CampaignReader } from '#core/service-client/index.ts';
import { type CampaignList, type CampaignRow, listLimits } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

const { maxPerPage } = listLimits;

const fewIds = 2;

/**
 * Maximum number of rows that may move between pages during the read. The read stops if more are missing, because they do not
 * exist.
 */
const maxSlipped = 20;

/** Returns the rows in the order of `cids`. Fails with `campaign_not_found`, naming every missing id. */
export async function findRows(client: CampaignReader, cids: readonly number[]): Promise<CampaignRow[]> {
  const found = await lookForRows(client, cids);
  const absent = cids.filter((cid) => !found.has(cid));
  if (absent.length > 0) throw notFound(absent);
  return cids.flatMap((cid) => found.get(cid) ?? []);
}

/** The rows that exist, with few requests: a query per id, or complete pages. */
export async function lookForRows(
  client: CampaignReader,
  cids: readonly number[],
): Promise<ReadonlyMap<number, CampaignRow>> {
  const wanted = new Set(cids);
  const found = new Map<number, CampaignRow>();
  const take = ({ data }: CampaignList): void => {
    for (const row of data) if (wanted.has(row.cid)) found.set(row.cid, row);
  };
  const missing = (): number[] => cids.filter((cid) => !found.has(cid));

  async function readOn(first: number, totalPages: number, greatest = Infinity): Promise<boolean> {
    let page = first;
    // A service listed through tools may report the number of pages only on the last page.
    let last = totalPages;
    const worthReading = first + missing().length;
    while (page <= last && page < worthReading && missing().length > 0) {
      const next = await readPage(client, page);
      take(next);
      last = next.totalPages;
      page += 1;
      if ((next.data.at(-1)?.cid ?? 0) > greatest) return false;
    }
    return page > last;
  }

  if (cids.length > fewIds) {
    const first = await readPage(client, 1);
    take(first);
    if (first.totalPages - 1 < missing().length) {
      const begin = await pageBefore(client, Math.min(...missing()), first.totalPages);
      if (begin > 2) await readOn(begin, first.totalPages, Math.max(...missing()));
      const hasEnded = (begin === 2 || missing().length > maxSlipped) && (await readOn(2, first.totalPages));
      if (hasEnded && missing().length > maxSlipped) return found;
    }
  }
  for (const cid of missing()) {
    take(await client.list({ page: 1, perPage: maxPerPage, query: String(cid) }));
  }
  return found;
}

/** Up to this number of pages, reading from the first page is faster than bisection. */
const fewPages = 8;

/** Finds by bisection a page before which no row is missing, because the list is sorted by id. */
async function pageBefore(client: CampaignReader, least: number, totalPages: number): Promise<number> {
  let low = 2;
  let high = totalPages;
  while (high - low >= fewPages) {
    const middle = Math.floor((low + high) / 2);
    const { data } = await readPage(client, middle);
    if ((data[0]?.cid ?? Infinity) <= least) low = middle;
    else high = middle;
  }
  return low;
}

function readPage(client: CampaignReader, page: number): Promise<CampaignList> {
  return client.list({ page, perPage: maxPerPage, sort: 'cid', order: 'asc' });
}

function notFound(cids: readonly number[]): AppError {
  const list = cids.join(', ');
  const subject = cids.length === 1 ? `The campaign ${list} does` : `The campaigns ${list} do`;
  return new AppError('campaign_not_found', {
    message: sentence`${ownWords(subject)} not exist in this account. Nothing was changed.`,
    data: { cids: list },
  });
}
