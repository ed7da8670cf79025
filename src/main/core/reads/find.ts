import type { Connections } from '#core/connections/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { maxFound, needsFull, type Search, search, type SearchedCampaign } from '#shared/find/index.ts';
import type { AccountList, AccountRows } from './account-list.ts';
import { oldestRead, rowFilter, rowOrder } from './campaign-cache.ts';
import type { CampaignReads } from './campaigns.ts';
import type { FullCampaigns } from './full-campaigns.ts';

type Query = AppInput<'campaigns.foundIds'>;

export type AttachedNotes = ReadonlyMap<number, Pick<SearchedCampaign, 'labels' | 'hasNote'>>;

export interface FinderOptions {
  connections: Pick<Connections, 'current'>;
  list: Pick<AccountList, 'rows' | 'readCount'>;
  full: Pick<FullCampaigns, 'find'>;
  typeNames: CampaignReads['typeNames'];
  attached(): AttachedNotes;
  labelNames(): ReadonlyMap<string, string>;
}

export interface Finder {
  find(input: AppInput<'campaigns.find'>): Promise<AppOutput<'campaigns.find'>>;
  ids(input: Query): Promise<AppOutput<'campaigns.foundIds'>>;
  readCount: AccountList['readCount'];
}

export function createFinder(options: FinderOptions): Finder {
  const { connections, list, full, typeNames, attached, labelNames } = options;
  const sorted = new WeakMap<AccountRows, { key: string; rows: readonly CampaignRow[] }>();

  function inOrder(account: AccountRows, { sort, order }: Query['filter']): readonly CampaignRow[] {
    const key = `${sort} ${order}`;
    const known = sorted.get(account);
    if (known?.key === key) return known.rows;
    const rows = account.rows.toSorted(rowOrder(sort, order));
    sorted.set(account, { key, rows });
    return rows;
  }

  function* accepted(
    rows: readonly CampaignRow[],
    accepts: ReturnType<typeof rowFilter>,
  ): Generator<SearchedCampaign> {
    const notes = attached();
    for (const row of rows) {
      const { labels = [], hasNote = false } = notes.get(row.cid) ?? {};
      if (accepts({ row, labels })) yield { row, edit: full.find(row.cid)?.edit ?? null, labels, hasNote };
    }
  }

  async function searchAccount(
    { filter, conditions }: Query,
    again: boolean,
  ): Promise<Search & { account: AccountRows }> {
    const { clocks } = connections.current();
    const [account, names] = [await list.rows(again), await typeNames(filter.types)];
    const accepts = rowFilter(filter, names, labelNames());
    const rows = accepted(inOrder(account, filter), accepts);
    return { account, ...search(rows, conditions, clocks()) };
  }

  function coverageOf(
    { account, unknown }: Search & { account: AccountRows },
    conditions: Query['conditions'],
  ) {
    const reads = account.rows.flatMap(({ cid }) => full.find(cid) ?? []);
    return {
      needsFull: conditions.some(needsFull),
      total: account.rows.length,
      loaded: reads.length,
      unknown,
      oldestReadAtMs: oldestRead(reads),
    };
  }

  return {
    readCount: list.readCount,
    async find({ page, perPage, again, ...query }) {
      const result = await searchAccount(query, again);
      const { account, found } = result;
      return {
        rows: found.slice((page - 1) * perPage, page * perPage).map(({ row }) => row),
        total: found.length,
        page,
        readAtMs: account.readAtMs,
        cached: account.cached,
        coverage: coverageOf(result, query.conditions),
      };
    },
    async ids(query) {
      const { account, found } = await searchAccount(query, false);
      const items = found.slice(0, maxFound).map(({ row: { cid, status } }) => ({ cid, status }));
      return { items, total: found.length, readAtMs: account.readAtMs };
    },
  };
}
