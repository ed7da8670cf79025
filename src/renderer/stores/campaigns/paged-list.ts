import type { CampaignPage, AppInput, FoundPage } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { needsAccount } from '#shared/find/index.ts';

/** Rows per page; the contract's largest (contract §8). */
export const pageSize = 200;

/** A long list of which only some pages were read. */
export interface PagedList {
  /** Number of rows that the service reports. */
  total: number;
  /** Pages by number, from 1. */
  pages: ReadonlyMap<number, LoadedPage>;
}

interface LoadedPage {
  rows: readonly CampaignRow[];
  readAtMs: number;
  /** True when something changed since it was read: shown, and read again when it comes into view. */
  stale: boolean;
}

/** The list after its first page. */
export function startList(page: CampaignPage): PagedList {
  return withPage({ total: 0, pages: new Map() }, page);
}

/**
 * The list with one more page. A changed total makes every other page stale, because rows have shifted, and rows at or beyond it are
 * none of the list any more.
 */
export function withPage(list: PagedList, page: CampaignPage): PagedList {
  const moved = list.pages.size > 0 && page.total !== list.total;
  const pages = new Map(moved ? markStale(list).pages : list.pages);
  pages.set(page.page, { rows: page.rows, readAtMs: page.readAtMs, stale: false });
  return { total: page.total, pages: within(page.total, pages) };
}

/** The pages up to a total. The first one stays: it says when an empty list was read. */
function within(total: number, pages: PagedList['pages']): PagedList['pages'] {
  const left = (number: number): number => Math.max(0, total - (number - 1) * pageSize);
  const kept = [...pages].filter(([number]) => number === 1 || left(number) > 0);
  return new Map(kept.map(([number, page]) => [number, { ...page, rows: page.rows.slice(0, left(number)) }]));
}

/** The list with every page to be read again. */
export function markStale(list: PagedList): PagedList {
  const pages = [...list.pages].map(([number, page]) => [number, { ...page, stale: true }] as const);
  return { ...list, pages: new Map(pages) };
}

/** The row at a position, or undefined while its page has not been read. */
export function rowAt(list: PagedList, index: number): CampaignRow | undefined {
  return list.pages.get(Math.floor(index / pageSize) + 1)?.rows[index % pageSize];
}

/** The numbers of the pages that a stretch of rows needs and that are absent or stale. */
export function neededPages(list: PagedList, first: number, last: number): number[] {
  const end = Math.min(last, list.total - 1);
  const needed: number[] = [];
  for (let page = Math.floor(first / pageSize) + 1; page <= Math.floor(end / pageSize) + 1; page += 1) {
    if (list.pages.get(page)?.stale !== false) needed.push(page);
  }
  return needed;
}

/** Every row that was read, in the list's order. */
export function loadedRows(list: PagedList): CampaignRow[] {
  return [...list.pages].toSorted(([a], [b]) => a - b).flatMap(([, page]) => page.rows);
}

/** When the oldest shown page was read, or null for an empty list. */
export function oldestReadMs(list: PagedList): number | null {
  const times = [...list.pages.values()].map((page) => page.readAtMs);
  return times.length === 0 ? null : Math.min(...times);
}

/** The position of a campaign among the loaded rows, or null. */
export function indexOfCampaign(list: PagedList, cid: number): number | null {
  for (const [number, page] of list.pages) {
    const index = page.rows.findIndex((row) => row.cid === cid);
    if (index >= 0) return (number - 1) * pageSize + index;
  }
  return null;
}

/** Reads a page of the campaigns: from the service, or by a search of the core for what the service's own list cannot answer. */
export function readList(
  bridge: AppBridge,
  { conditions, again, ...wanted }: AppInput<'campaigns.find'>,
): Promise<CampaignPage | FoundPage> {
  if (conditions.length === 0 && !needsAccount(wanted.filter)) return bridge.call('campaigns.page', wanted);
  return bridge.call('campaigns.find', { ...wanted, conditions, again });
}
