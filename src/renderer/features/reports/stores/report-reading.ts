import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ReportPage, ReportQuery } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { StoreApi } from 'zustand/vanilla';
import {
  blockSize,
  markStale,
  neededBlocks,
  outdatedRows,
  renewed,
  withBlock,
  withoutFar,
} from './report-rows.ts';
import type { ReportsData, ReportHead } from './reports-state.ts';

/** Days that an answer waits for: none, those that were never read, or every one once more. */
type Read = 'none' | 'missing' | 'all';

/** Reads the rows of the shown report in blocks, as far as they are in view. An answer to an earlier question is left aside. */
export interface ReportReading {
  /** Leaves aside every answer under way: another query follows, or none. `isSamePlace` keeps the stretch in view. */
  leave(isSamePlace: boolean): void;
  /** Reads the first rows of a new query, in the stretch in view, and the days that were never read. */
  begin(): Promise<void>;
  /** Takes another stretch into view, without reading it. */
  view(first: number, last: number): void;
  /** Reads the blocks of the stretch in view that are not there yet. */
  readInView(): Promise<void>;
  /** Reads what is shown again; the shown rows stay until their answers arrive. */
  readShown(): Promise<void>;
  /** The core's figures changed: what is shown is read again, once the first answer is there. */
  changed(): Promise<void>;
  /** Reads the report anew, with days from the service. Does nothing without a query. */
  readAgain(read: 'missing' | 'all'): void;
}

export function createReportReading(
  bridge: AppBridge,
  { getState: get, setState: set }: Pick<StoreApi<ReportsData>, 'getState' | 'setState'>,
): ReportReading {
  /** Counts what makes answers under way useless: a new query, other rows. */
  let generation = 0;
  const reading = new Set<number>();
  let inView = { first: 0, last: 0 };
  /** An event may overtake the first answer, which then reports a reading that has ended. */
  let changedWhileLoading = false;

  function forgetReads(): void {
    generation += 1;
    reading.clear();
  }

  async function readBlock(block: number, read: Read, begin: boolean): Promise<void> {
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
      take({ query, block, page, begin });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (mine === generation) set({ failure: error, loading: false });
      return;
    } finally {
      if (mine === generation) reading.delete(block);
    }
    await (changedWhileLoading ? readShown() : readInView('none'));
  }

  function take({ query, block, page, begin }: PageAnswer): void {
    const { rows: pageRows, ...head } = page;
    const { answered, head: before, rows, selection, outdated, cursor } = get();
    const isNewReading = figuresKey(answered, before) !== figuresKey(query, head);
    set({
      answered: query,
      // The same object while nothing in it changes: a block of rows that arrives is no reason to draw the columns again.
      head: JSON.stringify(before) === JSON.stringify(head) ? before : head,
      rows: withoutFar(withBlock(begin ? null : rows, block, page), inView.first, inView.last),
      selection: renewed(selection, pageRows),
      outdated: outdatedRows({ selection, outdated }, { rows: pageRows, isNewReading }),
      cursor: Math.min(cursor, Math.max(0, page.rowCount - 1)),
      loading: false,
      failure: null,
    });
  }

  async function readInView(read: Read): Promise<void> {
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
    leave(isSamePlace) {
      forgetReads();
      changedWhileLoading = false;
      if (!isSamePlace) inView = { first: 0, last: 0 };
    },
    begin: () => readBlock(Math.floor(inView.first / blockSize), 'missing', true),
    view(first, last) {
      inView = { first, last };
    },
    readInView: () => readInView('none'),
    readShown,
    async changed() {
      const { query, loading } = get();
      if (loading) changedWhileLoading = true;
      else if (query !== null) await readShown();
    },
    readAgain(read) {
      if (get().query === null) return;
      forgetReads();
      void readBlock(0, read, get().rows === null);
    },
  };
}

/** One block of rows, and the query that it answers. `begin` if it takes the place of every row before. */
interface PageAnswer {
  query: ReportQuery;
  block: number;
  page: ReportPage;
  begin: boolean;
}

/** The same for answers whose rows have the same figures, whatever their order. */
function figuresKey(query: ReportQuery | null, head: ReportHead | null): string {
  if (query === null || head === null) return '';
  const { source, range, comparison, includeToday, only } = query;
  return JSON.stringify([source, range, comparison, includeToday, only, head.version]);
}
