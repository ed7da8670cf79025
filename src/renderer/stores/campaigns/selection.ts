import { runs, isPausedByApp, type StatusGroup } from '#shared/campaign/index.ts';
import { indexOfCampaign, loadedRows, type PagedList } from './paged-list.ts';
import type { KnownStatus } from './returns-store.ts';
import type { StatusCode } from '#shared/contract/index.ts';

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

/** A part of the selection that an activation may mean, by status and by how it was stopped. */
export interface ActivationPart {
  group: StatusGroup;
  /**
   * `own` was paused through this app, and is chosen unless the person says otherwise; `other` has to be chosen; `already` has the
   * status; `refused` may not be given it by a member (contract §3).
   */
  kind: 'own' | 'other' | 'already' | 'refused';
  isChosen: boolean;
}

/** A choice that an activation of a mixed selection waits for. */
export interface ActivationChoice {
  status: StatusCode;
  parts: readonly ActivationPart[];
}

const pending = 0;

/** The choice that this status for these groups needs; null where one group alone can change. */
export function activationChoice(
  status: StatusCode,
  groups: readonly StatusGroup[],
): ActivationChoice | null {
  const parts = groups.map((group): ActivationPart => {
    const kind = kindOf(group, status);
    return { group, kind, isChosen: kind === 'own' };
  });
  const open = parts.filter(isOpenPart).length;
  const isRefused = parts.some(({ kind }) => kind === 'refused');
  return open > 1 || (open === 1 && isRefused) ? { status, parts } : null;
}

/** True for a part that can be chosen. */
export function isOpenPart({ kind }: ActivationPart): boolean {
  return kind === 'own' || kind === 'other';
}

/** Sets whether a part is chosen. A part that cannot be chosen is not changed. */
export function withPart(choice: ActivationChoice, index: number, isChosen: boolean): ActivationChoice {
  const parts = choice.parts.map((part, at) =>
    at === index && isOpenPart(part) ? { ...part, isChosen } : part,
  );
  return { ...choice, parts };
}

/** The campaigns of the chosen parts. */
export function chosenCids({ parts }: ActivationChoice): number[] {
  return parts.filter(({ isChosen }) => isChosen).flatMap(({ group }) => group.cids);
}

function kindOf(group: StatusGroup, to: StatusCode): ActivationPart['kind'] {
  if (group.status === to) return 'already';
  if (group.status === pending && runs(to)) return 'refused';
  return isPausedByApp(group) ? 'own' : 'other';
}
