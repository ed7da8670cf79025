import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import { pathKey, placeKey, type ReportPath } from './report-query.ts';
import { createReportReading } from './report-reading.ts';
import { toggled } from './report-rows.ts';
import type { ReportsData } from './reports-state.ts';

export interface ReportsState extends ReportsData {
  /** Shows a report, or none. Missing days are read from the service behind it. */
  show: (query: ReportQuery | null) => void;
  /** Reads the blocks that a stretch of rows needs. */
  showRows: (first: number, last: number) => void;
  toggleExpanded: (path: ReportPath) => void;
  toggleSelected: (row: ReportRow) => void;
  clearSelection: () => void;
  moveCursor: (index: number) => void;
  /** Reads every day of the report from the service again. */
  refresh: () => void;
  /** Reads the days that were not read, after a cancelled reading. */
  readMissing: () => void;
  /** Another service day has begun: named ranges have other days, which are asked for. Rows and selection stay until they are here. */
  turnDay: () => void;
  /** Ends the reading under way. */
  cancel: () => void;
  /** Keeps the report current. Returns the function that ends it. */
  start: () => () => void;
}

export type ReportsStore = StoreApi<ReportsState>;

const noSelection = { selection: new Map(), outdated: new Set() } satisfies Partial<ReportsData>;

const rowsKey = (query: ReportQuery | null): string => JSON.stringify([query?.search, query?.only]);

/** Makes the store of the report that the page shows. */
export function createReportsStore(bridge: AppBridge): ReportsStore {
  return createStore<ReportsState>((set, get) => {
    const reading = createReportReading(bridge, { getState: get, setState: set });
    const followChanges = readAgain(reading.changed);
    const readSources = readAgain(async () => {
      try {
        set({ sources: await bridge.call('reports.sources', {}) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    });

    return {
      query: null,
      sources: null,
      answered: null,
      head: null,
      rows: null,
      expanded: [],
      ...noSelection,
      cursor: 0,
      loading: false,
      failure: null,
      show(query) {
        const before = get().query;
        if (query !== null && JSON.stringify(before) === JSON.stringify(query)) return;
        const isSameSource = JSON.stringify(before?.source) === JSON.stringify(query?.source);
        const isSameTree = isSameSource && JSON.stringify(before?.levels) === JSON.stringify(query?.levels);
        const isSamePlace = before !== null && query !== null && placeKey(before) === placeKey(query);
        reading.leave(isSamePlace);
        set({
          query,
          loading: query !== null,
          failure: null,
          ...(isSamePlace ? {} : { cursor: 0 }),
          ...(isSameSource ? {} : { answered: null, head: null, rows: null }),
          ...(isSameTree ? {} : { expanded: [] }),
          // A search or filter may hide selected rows, to which nobody means to do anything.
          ...(isSameTree && rowsKey(before) === rowsKey(query) ? {} : noSelection),
        });
        if (query !== null) void reading.begin();
      },
      showRows(first, last) {
        reading.view(first, last);
        if (!get().loading && get().rows !== null) void reading.readInView();
      },
      toggleExpanded(path) {
        const key = pathKey(path);
        const others = get().expanded.filter((other) => pathKey(other) !== key);
        const expanded = others.length === get().expanded.length ? [...others, path] : others;
        set({ expanded });
        void reading.readShown();
      },
      toggleSelected(row) {
        const outdated = [...get().outdated].filter((key) => key !== pathKey(row.path));
        set({ selection: toggled(get().selection, row), outdated: new Set(outdated) });
      },
      clearSelection: () => set(noSelection),
      moveCursor(index) {
        const count = get().rows?.count ?? 0;
        set({ cursor: Math.max(0, Math.min(count - 1, index)) });
      },
      refresh: () => reading.readAgain('all'),
      readMissing: () => reading.readAgain('missing'),
      turnDay() {
        if (get().query === null) return;
        reading.leave(true);
        set({ loading: true });
        void reading.begin();
      },
      cancel() {
        void bridge.call('reports.cancel', { reading: 'page' }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          set({ failure: error });
        });
      },
      start() {
        const stops = [
          followEvent(bridge, 'reports.changed', followChanges),
          followEvent(bridge, 'reports.changed', readSources),
          followEvent(bridge, 'profiles.changed', readSources),
        ];
        return () => stops.forEach((stop) => stop());
      },
    };
  });
}
