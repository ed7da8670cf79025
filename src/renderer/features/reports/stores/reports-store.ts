import type { AppOutput, ReportPage, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type ReportPath, rowOrderKey } from './report-query.ts';
import {
  rowAt,
  type ReportRows,
  type RowSelection,
  toggled,
  blockSize,
  markStale,
  neededBlocks,
  outdatedRows,
  renewed,
  withBlock,
  withoutFar,
  pathKey,
  type ReportHead,
} from './report-rows.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure, followEvent, readAgain, stopAll } from '#renderer/stores/follow-core.ts';

type ReportSources = AppOutput<'reports.sources'>;

interface ReportsData {
  query: ReportQuery | null;
  sources: ReportSources | null;
  /** The query to which `head` and `rows` belong. While `loading`, this is the previous query. */
  answered: ReportQuery | null;
  head: ReportHead | null;
  rows: ReportRows | null;
  expanded: readonly ReportPath[];
  selection: RowSelection;
  outdated: ReadonlySet<string>;
  cursor: number;
  loading: boolean;
  failure: AppError | null;
}

export function cursorRow({ rows, cursor }: Pick<ReportsData, 'rows' | 'cursor'>): ReportRow | undefined {
  return rows === null ? undefined : rowAt(rows, cursor);
}

export function failureOf({
  failure,
  head,
}: Pick<ReportsData, 'failure' | 'head'>): AppError | NonNullable<ReportHead['state']['failure']> | null {
  return failure ?? head?.state.failure ?? null;
}

export function isWaiting({ head, failure }: Pick<ReportsData, 'head' | 'failure'>): boolean {
  if (head === null) return failure === null;
  return head.state.state === 'reading' && head.state.readAtMs === null;
}

export interface ReportsState extends ReportsData {
  show: (query: ReportQuery | null) => void;
  showRows: (first: number, last: number) => void;
  toggleExpanded: (path: ReportPath) => void;
  toggleSelected: (row: ReportRow) => void;
  clearSelection: () => void;
  moveCursor: (index: number) => void;
  refresh: () => void;
  readMissing: () => void;
  /** Reads again: preset ranges now cover other days. Rows and selection stay until the answer arrives. */
  reloadForNewDay: () => void;
  cancel: () => void;
  start: () => () => void;
}

type ReportsStore = StoreApi<ReportsState>;

const noSelection = { selection: new Map(), outdated: new Set() } satisfies Partial<ReportsData>;

const rowsKey = (query: ReportQuery | null): string => JSON.stringify([query?.search, query?.only]);

export function createReportsStore(bridge: AppBridge): ReportsStore {
  return createStore<ReportsState>((set, get) => {
    const reading = createReportReading(bridge, { getState: get, setState: set });
    const followChanges = readAgain(reading.changed);
    const readSources = readAgain(async () => {
      try {
        set({ sources: await bridge.call('reports.sources', {}) });
      } catch (error) {
        set({ failure: asFailure(error) });
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
        const isSamePlace = before !== null && query !== null && rowOrderKey(before) === rowOrderKey(query);
        reading.discardReads(isSamePlace);
        set({
          query,
          loading: query !== null,
          failure: null,
          ...(isSamePlace ? {} : { cursor: 0 }),
          ...(isSameSource ? {} : { answered: null, head: null, rows: null }),
          ...(isSameTree ? {} : { expanded: [] }),
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
      reloadForNewDay() {
        if (get().query === null) return;
        reading.discardReads(true);
        set({ loading: true });
        void reading.begin();
      },
      cancel() {
        bridge
          .call('reports.cancel', { reading: 'page' })
          .catch((error: unknown) => set({ failure: asFailure(error) }));
      },
      start: () =>
        stopAll(
          followEvent(bridge, 'reports.changed', followChanges),
          followEvent(bridge, ['reports.changed', 'profiles.changed'], readSources),
        ),
    };
  });
}

type ReadMode = 'none' | 'missing' | 'all';

function createReportReading(
  bridge: AppBridge,
  { getState: get, setState: set }: Pick<StoreApi<ReportsData>, 'getState' | 'setState'>,
) {
  let generation = 0;
  const reading = new Set<number>();
  let inView = { first: 0, last: 0 };
  /** A change event may overtake the first answer, which is then out of date: the rows are read again. */
  let changedWhileLoading = false;

  function forgetReads(): void {
    generation += 1;
    reading.clear();
  }

  async function readBlock(block: number, read: ReadMode, begin: boolean): Promise<void> {
    const { query, expanded } = get();
    if (query === null || reading.has(block)) return;
    const mine = generation;
    reading.add(block);
    try {
      const page = await bridge.call('reports.page', {
        query,
        expanded: expanded.map((path) => [...path]),
        offset: block * blockSize,
        limit: blockSize,
        read,
      });
      if (mine !== generation) return;
      applyPage({ query, block, page, begin });
    } catch (error) {
      const failure = asFailure(error);
      if (mine === generation) set({ failure, loading: false });
      return;
    } finally {
      if (mine === generation) reading.delete(block);
    }
    await (changedWhileLoading ? readShown() : readInView('none'));
  }

  function applyPage({ query, block, page, begin }: PageAnswer): void {
    const { rows: pageRows, ...head } = page;
    const { answered, head: before, rows, selection, outdated, cursor } = get();
    const isNewReading = figuresKey(answered, before) !== figuresKey(query, head);
    set({
      answered: query,
      // Keeps the object if nothing changed, so that columns are not redrawn.
      head: JSON.stringify(before) === JSON.stringify(head) ? before : head,
      rows: withoutFar(withBlock(begin ? null : rows, block, page), inView.first, inView.last),
      selection: renewed(selection, pageRows),
      outdated: outdatedRows({ selection, outdated }, { rows: pageRows, isNewReading }),
      cursor: Math.min(cursor, Math.max(0, page.rowCount - 1)),
      loading: false,
      failure: null,
    });
  }

  async function readInView(read: ReadMode): Promise<void> {
    const { rows } = get();
    if (rows === null) return readBlock(0, read, true);
    const blocks = neededBlocks(rows, inView.first, inView.last);
    await Promise.all(blocks.map((block) => readBlock(block, read, false)));
  }

  async function readShown(): Promise<void> {
    forgetReads();
    changedWhileLoading = false;
    const { rows } = get();
    if (rows !== null) set({ rows: markStale(rows) });
    if (rows?.count === 0) await readBlock(0, 'none', true);
    else await readInView('none');
  }

  return {
    discardReads(isSamePlace: boolean) {
      forgetReads();
      changedWhileLoading = false;
      if (!isSamePlace) inView = { first: 0, last: 0 };
    },
    begin: () => readBlock(Math.floor(inView.first / blockSize), 'missing', true),
    view(first: number, last: number) {
      inView = { first, last };
    },
    readInView: () => readInView('none'),
    readShown,
    async changed() {
      const { query, loading } = get();
      if (loading) changedWhileLoading = true;
      else if (query !== null) await readShown();
    },
    readAgain(read: 'missing' | 'all') {
      if (get().query === null) return;
      forgetReads();
      void readBlock(0, read, get().rows === null);
    },
  };
}

interface PageAnswer {
  query: ReportQuery;
  block: number;
  page: ReportPage;
  begin: boolean;
}

function figuresKey(query: ReportQuery | null, head: ReportHead | null): string {
  if (query === null || head === null) return '';
  const { source, range, comparison, includeToday, only } = query;
  return JSON.stringify([source, range, comparison, includeToday, only, head.version]);
}
