import { runs, isPausedByApp, type StatusGroup } from '#shared/campaign/index.ts';
import { indexOfCampaign, loadedRows, type PagedList } from './paged-list.ts';
import type { KnownStatus } from './returns-store.ts';
import type { StatusCode } from '#shared/contract/index.ts';

/** Contains ids, so that sorting and paging do not change it. */
export interface Selection {
  cids: ReadonlySet<number>;
  anchor: number | null;
  reach?: number;
}

export const noSelection: Selection = { cids: new Set(), anchor: null };

/** The part of the selection that actions apply to: the person cannot see campaigns that the filter hides. */
export function shownPart({ cids, anchor }: Selection, found: ReadonlySet<number>): Selection {
  return { cids: new Set([...cids].filter((cid) => found.has(cid))), anchor };
}

/** Adds the campaigns of another page. Pass an empty `known` for the first page of another filter. */
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

export function toggle(selection: Selection, cid: number, index: number): Selection {
  const cids = new Set(selection.cids);
  if (!cids.delete(cid)) cids.add(cid);
  return { cids, anchor: index };
}

/**
 * Moves the end of the range that begins at the anchor. Rows that were not read cannot be selected; `cidAt` returns
 * undefined for them.
 */
export function extendTo(
  { cids: before, anchor, reach }: Selection,
  index: number,
  cidAt: (index: number) => number | undefined,
): Selection {
  const from = anchor ?? index;
  const cids = new Set(before);
  if (anchor !== null && reach !== undefined) for (const cid of cidsIn(from, reach, cidAt)) cids.delete(cid);
  for (const cid of cidsIn(from, index, cidAt)) cids.add(cid);
  return { cids, anchor: from, reach: index };
}

function cidsIn(from: number, to: number, cidAt: (index: number) => number | undefined): number[] {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: last - first + 1 }, (_, at) => cidAt(first + at) ?? []).flat();
}

/** Null if the status of any selected campaign is unknown. */
export function countRunning(
  selection: Selection,
  statuses: ReadonlyMap<number, KnownStatus>,
): number | null {
  const known = [...selection.cids].map((cid) => statuses.get(cid)?.status);
  return known.includes(undefined) ? null : known.filter((status) => runs(status)).length;
}

/**
 * The number of running campaigns if a pause would affect only some of the selection. Null if it affects all or none,
 * or if a status is unknown.
 */
export function partToPause(selection: Selection, statuses: ReadonlyMap<number, KnownStatus>): number | null {
  const running = countRunning(selection, statuses);
  return running === 0 || running === selection.cids.size ? null : running;
}

export function selectAll(selection: Selection, cids: readonly number[]): Selection {
  return { ...selection, cids: new Set([...selection.cids, ...cids]) };
}

export interface ActivationPart {
  group: StatusGroup;
  /**
   * `own`: paused by this app, and chosen by default. `already`: has the status. `refused`: no member may activate it
   * (contract §3).
   */
  kind: 'own' | 'other' | 'already' | 'refused';
  isChosen: boolean;
}

export interface ActivationChoice {
  status: StatusCode;
  parts: readonly ActivationPart[];
}

const pending = 0;

/** The parts to choose from. Null if only one group can change. */
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

export function isOpenPart({ kind }: ActivationPart): boolean {
  return kind === 'own' || kind === 'other';
}

export function withPart(choice: ActivationChoice, index: number, isChosen: boolean): ActivationChoice {
  const parts = choice.parts.map((part, at) =>
    at === index && isOpenPart(part) ? { ...part, isChosen } : part,
  );
  return { ...choice, parts };
}

export function chosenCids({ parts }: ActivationChoice): number[] {
  return parts.filter(({ isChosen }) => isChosen).flatMap(({ group }) => group.cids);
}

function kindOf(group: StatusGroup, to: StatusCode): ActivationPart['kind'] {
  if (group.status === to) return 'already';
  if (group.status === pending && runs(to)) return 'refused';
  return isPausedByApp(group) ? 'own' : 'other';
}
