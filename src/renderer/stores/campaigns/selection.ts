import { runs } from '#shared/campaign/index.ts';
import { indexOfCampaign, loadedRows, type PagedList } from './paged-list.ts';
import type { KnownStatus } from './returns-store.ts';

/** The selected campaigns, by id, so that sorting and paging do not change it. */
export interface Selection {
  cids: ReadonlySet<number>;
  /** The row position where a range began, or null. */
  anchor: number | null;
}

export const noSelection: Selection = { cids: new Set(), anchor: null };

/**
 * The part of a selection that is among the found campaigns. Actions apply to this part alone: the person does not see the others under
 * the filter.
 */
export function shownPart({ cids, anchor }: Selection, found: ReadonlySet<number>): Selection {
  return { cids: new Set([...cids].filter((cid) => found.has(cid))), anchor };
}

/**
 * The campaigns that are known to be found after one more page was read: those of every row that was read under the filter. Campaigns
 * that a page has lost are removed. `known` is empty for the first page of another filter.
 */
export function foundAfter(
  known: ReadonlySet<number>,
  { before, after, page }: { before: PagedList | null; after: PagedList; page: number },
): ReadonlySet<number> {
  if (loadedRows(after).length >= after.total) return new Set(loadedRows(after).map(({ cid }) => cid));
  const found = new Set(known);
  for (const { cid } of before?.pages.get(page)?.rows ?? []) {
    if (indexOfCampaign(after, cid) === null) found.delete(cid);
  }
  for (const { cid } of after.pages.get(page)?.rows ?? []) found.add(cid);
  return found;
}

/** Selects or deselects one campaign; its row becomes the anchor of the next range. */
export function toggle(selection: Selection, cid: number, index: number): Selection {
  const cids = new Set(selection.cids);
  if (!cids.delete(cid)) cids.add(cid);
  return { cids, anchor: index };
}

/**
 * Adds every row between the anchor and `index`. Rows that were not read cannot be selected;
 * `cidAt` gives undefined for them.
 */
export function extendTo(
  selection: Selection,
  index: number,
  cidAt: (index: number) => number | undefined,
): Selection {
  const from = selection.anchor ?? index;
  const cids = new Set(selection.cids);
  for (let row = Math.min(from, index); row <= Math.max(from, index); row += 1) {
    const cid = cidAt(row);
    if (cid !== undefined) cids.add(cid);
  }
  return { cids, anchor: from };
}

/** Number of selected campaigns that run, by the status that was read last; null while one of them is not known. */
export function countRunning(
  selection: Selection,
  statuses: ReadonlyMap<number, KnownStatus>,
): number | null {
  const known = [...selection.cids].map((cid) => statuses.get(cid)?.status);
  return known.includes(undefined) ? null : known.filter((status) => runs(status)).length;
}

/** Number of selected campaigns that a pause is meant for if some do not run; null if it is meant for all. */
export function partToPause(selection: Selection, statuses: ReadonlyMap<number, KnownStatus>): number | null {
  const running = countRunning(selection, statuses);
  return running === 0 || running === selection.cids.size ? null : running;
}

/** Adds all of the given campaigns. */
export function selectAll(selection: Selection, cids: readonly number[]): Selection {
  return { ...selection, cids: new Set([...selection.cids, ...cids]) };
}
