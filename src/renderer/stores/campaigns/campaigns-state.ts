import type { StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import {
  type CampaignFilter,
  type CampaignPage,
  type Coverage,
  type FoundPage,
  noFilter,
} from '#shared/app-api/index.ts';
import type { SortColumn, StatusCode } from '#shared/contract/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import {
  readList,
  markStale,
  neededPages,
  type PagedList,
  pageSize,
  changedSince,
  type KeptRows,
  startList,
  withPage,
} from './paged-list.ts';
import { cleared, findsTheSame, narrows, sortedBy } from './filter.ts';
import { type ActivationChoice, foundAfter, noSelection, type Selection } from './selection.ts';
import type { KnownStatus } from './returns-store.ts';
import { asFailure } from '../follow-core.ts';

export interface CampaignsData {
  filter: CampaignFilter;
  /** Without conditions, the service filters its own list. */
  conditions: readonly CampaignCondition[];
  coverage: Coverage | null;
  list: PagedList | null;
  all: number | null;
  loading: boolean;
  readCount: number | null;
  failure: AppError | null;
  cached: CampaignPage['cached'];
  /** Rows that the last run of the app saved. Null once the core has answered. */
  kept: KeptRows | null;
  /** Campaigns whose rows differ from the saved rows of the last run. */
  changed: ReadonlySet<number>;
  /** Actions apply only to selected campaigns that are also in `found`. */
  selection: Selection;
  found: ReadonlySet<number>;
  statuses: ReadonlyMap<number, KnownStatus>;
  cursor: number;
  types: { code: number; name: string }[];
  selecting: boolean;
  proposing: { status: StatusCode; failure: AppError | null } | null;
  choice: ActivationChoice | null;
  asksUntil: boolean;
}

export interface ListActions {
  setFilter: (change: Partial<CampaignFilter>) => void;
  setConditions: (conditions: readonly CampaignCondition[]) => void;
  applyView: (view: { filter: CampaignFilter; conditions: readonly CampaignCondition[] }) => void;
  clearFilter: () => void;
  sortBy: (column: SortColumn) => void;
  reload: () => void;
  /** Like `reload`, but also reads the rows again that the core caches for conditions. */
  refresh: () => void;
  show: (first: number, last: number) => void;
}

export interface SelectionActions {
  moveCursor: (index: number) => void;
  pointAt: (cid: number) => void;
  toggleSelected: (index: number) => void;
  extendSelection: (index: number) => void;
  selectLoaded: () => void;
  selectFound: () => Promise<void>;
  deselectHidden: () => void;
  clearSelection: () => void;
  leaveRange: () => void;
}

export interface BulkActions {
  /**
   * Resolves with the proposal's id, or with null. The reason is then in `proposing`, or in `choice` if a mixed
   * activation needs a choice.
   */
  proposeStatus: (status: StatusCode, targeted?: 'all' | 'running') => Promise<string | null>;
  askUntil: (isOpen: boolean) => void;
  proposePauseUntil: (returnAtMs: number) => Promise<string | null>;
  dismissProposing: () => void;
  choosePart: (index: number, isChosen: boolean) => void;
  proposeChosen: () => Promise<string | null>;
  endChoice: () => void;
}

export interface CampaignsState extends CampaignsData, ListActions, SelectionActions, BulkActions {
  start: () => () => void;
}

export type CampaignsStore = StoreApi<CampaignsState>;

export interface Handle {
  get: () => CampaignsState;
  set: (change: Partial<CampaignsData>) => void;
}

export const emptyData: CampaignsData = {
  filter: noFilter,
  conditions: [],
  coverage: null,
  list: null,
  all: null,
  loading: true,
  readCount: null,
  failure: null,
  cached: null,
  kept: null,
  changed: new Set(),
  selection: noSelection,
  found: new Set(),
  statuses: new Map(),
  cursor: 0,
  types: [],
  selecting: false,
  proposing: null,
  choice: null,
  asksUntil: false,
};

function withStatuses(
  known: CampaignsData['statuses'],
  { rows, readAtMs }: CampaignPage,
): CampaignsData['statuses'] {
  return new Map([...known, ...rows.map(({ cid, status }) => [cid, { status, readAtMs }] as const)]);
}

const noRows = { list: null, all: null, kept: null };

/**
 * Drops the rows after a sign-out, because they belong to no account then. After other failures they stay and show their age.
 */
function leftBehind({ code }: AppError): Partial<CampaignsData> {
  return code === 'credential_missing'
    ? { ...noRows, cached: null, selection: noSelection, statuses: new Map() }
    : {};
}

export function listActions(bridge: AppBridge, { get, set }: Handle): ListActions {
  let generation = 0;
  const reading = new Set<number>();
  let isAnew = false;
  /** True after a change of the filter: rows that were read before may not match any more. */
  let isOtherFilter = false;
  /** False before the first connection, when kept rows are shown and a read would only wait. */
  let isConnected = false;
  let inView = { first: 0, last: 0 };

  async function ask(page: number): Promise<CampaignPage | FoundPage> {
    const { filter, conditions } = get();
    const again = isAnew;
    isAnew = false;
    return readList(bridge, { filter, conditions: [...conditions], page, perPage: pageSize, again });
  }

  async function readPage(page: number, fresh: boolean): Promise<void> {
    if (reading.has(page)) return;
    const mine = generation;
    reading.add(page);
    try {
      const answer = await ask(page);
      if (mine !== generation) return;
      const { list, statuses, found, kept } = get();
      const before = fresh ? null : list;
      const after = before === null ? startList(answer) : withPage(before, answer);
      const known = fresh && isOtherFilter ? new Set<number>() : found;
      if (fresh) isOtherFilter = false;
      set({
        coverage: 'coverage' in answer ? answer.coverage : null,
        statuses: withStatuses(statuses, answer),
        list: after,
        found: foundAfter(known, { before, after, page }),
        loading: false,
        failure: null,
        cached: answer.cached,
        ...(kept !== null && page === 1 && { kept: null, changed: changedSince(kept.rows, answer.rows) }),
        ...allOf(get(), answer),
      });
    } catch (error) {
      const failure = asFailure(error);
      if (mine === generation) set({ failure, loading: false, ...leftBehind(failure) });
      return;
    } finally {
      if (mine === generation) reading.delete(page);
    }
    show(inView.first, inView.last);
  }

  function show(first: number, last: number): void {
    inView = { first, last };
    const { list, kept } = get();
    if (!list || (kept !== null && !isConnected)) return;
    for (const page of neededPages(list, first, last)) void readPage(page, false);
  }

  function forgetReads(): void {
    generation += 1;
    reading.clear();
  }

  function restart(change: Partial<Pick<CampaignsData, 'filter' | 'conditions'>>): void {
    forgetReads();
    const { filter = get().filter, conditions = get().conditions } = change;
    isOtherFilter ||= conditions !== get().conditions || !findsTheSame(filter, get().filter);
    // The table returns to its first row. The number of rows in view does not change.
    inView = { first: 0, last: inView.last - inView.first };
    set({
      ...change,
      ...(get().kept !== null && noRows),
      loading: true,
      changed: new Set(),
      cursor: 0,
      selection: { ...get().selection, anchor: null },
    });
    void readPage(1, true);
  }

  function reload(): void {
    isConnected = true;
    const { list, loading } = get();
    // An empty list has no page in view that could be read again.
    if (!list || loading || list.total === 0) return restart({});
    forgetReads();
    set({ list: markStale(list) });
    show(inView.first, inView.last);
  }

  return {
    show,
    setFilter: (change) => restart({ filter: { ...get().filter, ...change } }),
    setConditions: (conditions) => restart({ conditions }),
    applyView: ({ filter, conditions }) => restart({ filter, conditions }),
    clearFilter: () => restart({ filter: cleared(get().filter), conditions: [] }),
    sortBy: (column) => restart({ filter: sortedBy(get().filter, column) }),
    reload,
    refresh() {
      isAnew = true;
      reload();
    },
  };
}

function allOf(
  { filter, conditions }: Pick<CampaignsData, 'filter' | 'conditions'>,
  answer: CampaignPage | FoundPage,
): Partial<CampaignsData> {
  if ('coverage' in answer) return { all: answer.coverage.total };
  return narrows(filter, conditions) ? {} : { all: answer.total };
}
