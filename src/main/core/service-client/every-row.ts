import { type CampaignRow, listLimits, type StatusCode } from '#shared/contract/index.ts';
import type { MemberClient } from './member-client.ts';

/** A list that was read in pages. */
export interface EveryRow {
  rows: CampaignRow[];
  /** False if campaigns went meanwhile, or not all are there: others may have slipped past between two pages. */
  isSteady: boolean;
}

interface Options {
  status?: StatusCode;
  signal?: AbortSignal;
  /** Called after each page with the number of campaigns read so far. */
  onPage?: (count: number) => void;
}

/**
 * Reads every campaign of the account, or each with one status, in the largest pages and by id (contract §4.1). One that moves
 * between pages is in it once, as it was read last. Ends at a page that brings nothing new, however many the service says there are.
 */
export async function readEveryRow(
  client: Pick<MemberClient, 'list'>,
  { status, signal, onPage }: Options = {},
): Promise<EveryRow> {
  const rows = new Map<number, CampaignRow>();
  const totals: number[] = [];
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
    onPage?.(rows.size);
    totals.push(total);
    if (rows.size === known || page >= totalPages) break;
  }
  const isShrinking = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  return { rows: [...rows.values()], isSteady: !isShrinking && totals.at(-1) === rows.size };
}

/** Rounds after which a list that keeps moving is taken as it was seen. */
const maxRounds = 3;

/** The same, read again until the pages fit together, or bring the campaigns of the round before. */
export async function readSteadyRows(
  client: Pick<MemberClient, 'list'>,
  options: Options = {},
): Promise<EveryRow> {
  let read = await readEveryRow(client, options);
  for (let round = 1; round < maxRounds && !read.isSteady; round += 1) {
    const before = new Set(read.rows.map(({ cid }) => cid));
    read = await readEveryRow(client, options);
    const { rows } = read;
    if (rows.length === before.size && rows.every(({ cid }) => before.has(cid)))
      return { rows, isSteady: true };
  }
  return read;
}
