import type { CampaignFilter, CampaignPage } from '#shared/app-api/index.ts';
import type { SortColumn, StatusCode } from '#shared/contract/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { StoreApi } from 'zustand/vanilla';
import { noFilter } from './filter.ts';
import type { PagedList } from './paged-list.ts';
import { noSelection, type Selection } from './selection.ts';

/** What the page knows of the campaign list. */
export interface CampaignsData {
  filter: CampaignFilter;
  /** Null until the first answer. While a new filter loads, the rows of the old one stay. */
  list: PagedList | null;
  /** How many campaigns there are without a filter, as it was when they were last listed; null until then. */
  all: number | null;
  /** True from a change of the filter to its first page. */
  loading: boolean;
  /** Why the last read failed; the rows shown are then old. */
  failure: AppError | null;
  /** The service is away, and the rows are from earlier reads: why, and the way back. */
  kept: CampaignPage['kept'];
  selection: Selection;
  /** The row position that the keyboard is on. */
  cursor: number;
  types: { code: number; name: string }[];
  /** A bulk change on its way to becoming a proposal. */
  proposing: { status: StatusCode; failure: AppError | null } | null;
}

/** What reads the list. */
export interface ListActions {
  setFilter: (change: Partial<CampaignFilter>) => void;
  clearFilter: () => void;
  sortBy: (column: SortColumn) => void;
  reload: () => void;
  /** Reads the pages that a stretch of rows needs. */
  show: (first: number, last: number) => void;
}

/** What moves the cursor and changes the selection. */
export interface SelectionActions {
  moveCursor: (index: number) => void;
  /** Puts the cursor on a campaign, when its row was read. */
  pointAt: (cid: number) => void;
  toggleSelected: (index: number) => void;
  extendSelection: (index: number) => void;
  selectLoaded: () => void;
  clearSelection: () => void;
}

/** What makes proposals of the selection. */
export interface BulkActions {
  /** Proposes one status for the selected campaigns. The proposal's id, or null with the reason in `proposing`. */
  proposeStatus: (status: StatusCode) => Promise<string | null>;
  dismissProposing: () => void;
}

export interface CampaignsState extends CampaignsData, ListActions, SelectionActions, BulkActions {
  /** Keeps the list current. Returns the way to stop. Call once. */
  start: () => () => void;
}

export type CampaignsStore = StoreApi<CampaignsState>;

/** The store's own way to read and change itself. */
export interface Handle {
  get: () => CampaignsState;
  set: (change: Partial<CampaignsData>) => void;
}

export const emptyData: CampaignsData = {
  filter: noFilter,
  list: null,
  all: null,
  loading: true,
  failure: null,
  kept: null,
  selection: noSelection,
  cursor: 0,
  types: [],
  proposing: null,
};
