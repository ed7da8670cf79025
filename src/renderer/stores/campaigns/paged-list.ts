import type { CampaignPage, AppInput, FoundPage } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { FirstScreen } from '#shared/host-api/index.ts';
import { needsAccount } from '#shared/find/index.ts';

/** The largest page that the contract allows (§8). */
export const pageSize = 200;

export interface PagedList {
  total: number;
  pages: ReadonlyMap<number, LoadedPage>;
}

interface LoadedPage {
  rows: readonly CampaignRow[];
  readAtMs: number;
  stale: boolean;
}

export type KeptRows = Pick<FirstScreen, 'rows' | 'total' | 'readAtMs'>;

export function startList(page: CampaignPage): PagedList {
  return withPage({ total: 0, pages: new Map() }, page);
}

/** The rows that the last run kept. They are read again as soon as the core answers. */
export function keptList({ rows, total, readAtMs }: KeptRows): PagedList {
  return { total, pages: new Map([[1, { rows, readAtMs, stale: true }]]) };
}

/** Campaigns whose row differs from the kept one, or that are new among them. */
export function changedSince(kept: readonly CampaignRow[], now: readonly CampaignRow[]): Set<number> {
  const before = new Map(kept.map((row) => [row.cid, JSON.stringify(row)]));
  const changed = now.slice(0, kept.length).filter((row) => before.get(row.cid) !== JSON.stringify(row));
  return new Set(changed.map(({ cid }) => cid));
}

/** A changed total makes all other pages stale, because rows have shifted, and removes rows beyond it. */
export function withPage(list: PagedList, page: CampaignPage): PagedList {
  const moved = list.pages.size > 0 && page.total !== list.total;
  const pages = new Map(moved ? markStale(list).pages : list.pages);
  pages.set(page.page, { rows: page.rows, readAtMs: page.readAtMs, stale: false });
  return { total: page.total, pages: within(page.total, pages) };
}

/** The first page stays, because it contains the time at which an empty list was read. */
function within(total: number, pages: PagedList['pages']): PagedList['pages'] {
  const left = (number: number): number => Math.max(0, total - (number - 1) * pageSize);
  const kept = [...pages].filter(([number]) => number === 1 || left(number) > 0);
  return new Map(kept.map(([number, page]) => [number, { ...page, rows: page.rows.slice(0, left(number)) }]));
}

export function markStale(list: PagedList): PagedList {
  const pages = [...list.pages].map(([number, page]) => [number, { ...page, stale: true }] as const);
  return { ...list, pages: new Map(pages) };
}

/** Undefined if its page has not been read. */
export function rowAt(list: PagedList, index: number): CampaignRow | undefined {
  return list.pages.get(Math.floor(index / pageSize) + 1)?.rows[index % pageSize];
}

export function neededPages(list: PagedList, first: number, last: number): number[] {
  const end = Math.min(last, list.total - 1);
  const needed: number[] = [];
  for (let page = Math.floor(first / pageSize) + 1; page <= Math.floor(end / pageSize) + 1; page += 1) {
    if (list.pages.get(page)?.stale !== false) needed.push(page);
  }
  return needed;
}

export function loadedRows(list: PagedList): CampaignRow[] {
  return [...list.pages].toSorted(([a], [b]) => a - b).flatMap(([, page]) => page.rows);
}

export function oldestReadMs(list: PagedList): number | null {
  const times = [...list.pages.values()].map((page) => page.readAtMs);
  return times.length === 0 ? null : Math.min(...times);
}

export function indexOfCampaign(list: PagedList, cid: number): number | null {
  for (const [number, page] of list.pages) {
    const index = page.rows.findIndex((row) => row.cid === cid);
    if (index >= 0) return (number - 1) * pageSize + index;
  }
  return null;
}

/** Reads a page from the service, or by a search of the core if the service's list cannot answer the query. */
export function readList(
  bridge: AppBridge,
  { conditions, again, ...wanted }: AppInput<'campaigns.find'>,
): Promise<CampaignPage | FoundPage> {
  if (conditions.length === 0 && !needsAccount(wanted.filter)) return bridge.call('campaigns.page', wanted);
  return bridge.call('campaigns.find', { ...wanted, conditions, again });
}
