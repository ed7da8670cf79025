import type { StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignFilter, CampaignPage, Coverage, FoundPage } from '#shared/app-api/index.ts';
import type { SortColumn, StatusCode } from '#shared/contract/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import {
  readList,
  markStale,
  neededPages,
  type PagedList,
  pageSize,
  startList,
  withPage,
} from './paged-list.ts';
import { cleared, findsTheSame, narrows, noFilter, sortedBy } from './filter.ts';
import { type ActivationChoice, foundAfter, noSelection, type Selection } from './selection.ts';
import type { KnownStatus } from './returns-store.ts';
import { asFailure } from '../follow-core.ts';

/** The state of the campaign list. */
export interface CampaignsData {
  filter: CampaignFilter;
  /** Conditions that hold beside the filter. Without any the service itself filters. */
  conditions: readonly CampaignCondition[];
  /** How much of the account the conditions could see; null without any. */
  coverage: Coverage | null;
  /** Null until the first answer. While a new filter loads, the rows of the old one stay. */
  list: PagedList | null;
  /** Number of campaigns without a filter when they were last listed; null until then. */
  all: number | null;
  /** True from a change of the filter to its first page. */
  loading: boolean;
  /** Number of campaigns read so far for a search that reads the whole list; null while none does. */
  readCount: number | null;
  /** The failure of the last read; the rows shown are then old. */
  failure: AppError | null;
  /** The service is away, and the rows are from earlier reads: why, and the remedy. */
  cached: CampaignPage['cached'];
  /** Selected campaigns; a search or filter may hide some of them. Actions apply to those in `found`. */
  selection: Selection;
  /** Campaigns that are known to be found by the filter: of rows that were read, and of *Select all found*. */
  found: ReadonlySet<number>;
  /** The status of each campaign as its row was read last, also of rows that the filter leaves out now. */
  statuses: ReadonlyMap<number, KnownStatus>;
  /** The row position that the keyboard is on. */
  cursor: number;
  types: { code: number; name: string }[];
  /** Everything that is found is being selected. */
  selecting: boolean;
  /** A bulk change on its way to becoming a proposal. */
  proposing: { status: StatusCode; failure: AppError | null } | null;
  /** An activation that waits until the person has chosen which part of a mixed selection is meant. */
  choice: ActivationChoice | null;
}

/** Actions that read the list. */
export interface ListActions {
  setFilter: (change: Partial<CampaignFilter>) => void;
  setConditions: (conditions: readonly CampaignCondition[]) => void;
  /** Shows a saved filter. */
  applyView: (view: { filter: CampaignFilter; conditions: readonly CampaignCondition[] }) => void;
  clearFilter: () => void;
  sortBy: (column: SortColumn) => void;
  /** Reads what is in view again, after an event. */
  reload: () => void;
  /** The same on request: rows that are kept for conditions are read anew. */
  refresh: () => void;
  /** Reads the pages that a stretch of rows needs. */
  show: (first: number, last: number) => void;
}

/** Actions that move the cursor and change the selection. */
export interface SelectionActions {
  moveCursor: (index: number) => void;
  /** Puts the cursor on a campaign, when its row was read. */
  pointAt: (cid: number) => void;
  toggleSelected: (index: number) => void;
  extendSelection: (index: number) => void;
  selectLoaded: () => void;
  /** Selects exactly the campaigns that are found now, also those whose rows were not read; later reads do not change them. */
  selectFound: () => Promise<void>;
  /** Deselects what the filter hides. */
  deselectHidden: () => void;
  clearSelection: () => void;
}

/** Actions that propose changes of the selection. */
export interface BulkActions {
  /**
   * Proposes one status for the selected campaigns that are found, or for those of them that run, and clears the selection. The
   * proposal's id, or null with the reason in `proposing`, or with the `choice` that a mixed activation needs first.
   */
  proposeStatus: (status: StatusCode, meant?: 'all' | 'running') => Promise<string | null>;
  dismissProposing: () => void;
  choosePart: (index: number, isChosen: boolean) => void;
  /** Proposes the status for the chosen parts, as `proposeStatus` does, and ends the choice. */
  proposeChosen: () => Promise<string | null>;
  endChoice: () => void;
}

export interface CampaignsState extends CampaignsData, ListActions, SelectionActions, BulkActions {
  start: () => () => void;
}

export type CampaignsStore = StoreApi<CampaignsState>;

/** Reads and changes the store's own state. */
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
  selection: noSelection,
  found: new Set(),
  statuses: new Map(),
  cursor: 0,
  types: [],
  selecting: false,
  proposing: null,
  choice: null,
};

function withStatuses(
  known: CampaignsData['statuses'],
  { rows, readAtMs }: CampaignPage,
): CampaignsData['statuses'] {
  return new Map([...known, ...rows.map(({ cid, status }) => [cid, { status, readAtMs }] as const)]);
}

/** Signed out: the rows belong to no account now. Every other failure keeps them, with their age. */
function leftBehind({ code }: AppError): Partial<CampaignsData> {
  return code === 'credential_missing'
    ? { list: null, all: null, cached: null, selection: noSelection, statuses: new Map() }
    : {};
}

/** Reads the list page by page, as rows come into view. Answers that belong to an older filter or an older read are dropped. */
export function listActions(bridge: AppBridge, { get, set }: Handle): ListActions {
  let generation = 0;
  const reading = new Set<number>();
  let isAnew = false;
  /** True from a change of the filter to its first page: rows that were read before may not be found any more. */
  let isOtherFilter = false;
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
      const { list, statuses, found } = get();
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
    const { list } = get();
    if (!list) return;
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
    // The table goes back to its first row, and has as many of them in view as before.
    inView = { first: 0, last: inView.last - inView.first };
    set({ ...change, loading: true, cursor: 0, selection: { ...get().selection, anchor: null } });
    void readPage(1, true);
  }

  function reload(): void {
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

/** The number of all campaigns, as far as an answer tells it. */
function allOf(
  { filter, conditions }: Pick<CampaignsData, 'filter' | 'conditions'>,
  answer: CampaignPage | FoundPage,
): Partial<CampaignsData> {
  if ('coverage' in answer) return { all: answer.coverage.total };
  return narrows(filter, conditions) ? {} : { all: answer.total };
}
