import type { AppBridge } from '#renderer/api/bridge.ts';
import { maxDrillRows, type AppOutput, type ReportQuery, type ReportValue } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isXmlGrouping } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import type { ReportPath } from './report-query.ts';

export type DrillAnswer = AppOutput<'reports.drill'>;

/** One row of a report looked into: its values, and the dimension by which it is split. */
export interface Drill {
  of: readonly ReportValue[];
  by: string;
}

export interface DrillState {
  /** Null while the panel is closed. */
  drill: Drill | null;
  query: ReportQuery | null;
  answer: DrillAnswer | null;
  failure: AppError | null;
  open: (query: ReportQuery, drill: Drill) => void;
  close: () => void;
  /** Asks the service again. */
  refresh: () => void;
  /** Ends the reading behind the panel. That of Search is the report's own. */
  cancel: () => void;
  /** Keeps the panel current. Returns the function that ends it. */
  start: () => () => void;
}

export type DrillStore = StoreApi<DrillState>;

/**
 * Lists by what a row can be split: XML traffic as its service groups it, which does not know a dimension of its own as a filter; Search
 * by each dimension that the row has not.
 */
export function drillDimensions(
  { source, levels }: ReportQuery,
  path: ReportPath,
  dimensions: readonly string[],
): string[] {
  const inner = levels[path.length - 1];
  if (source.kind === 'xml') {
    if (inner === 'date') return ['geo', 'subid'];
    return inner !== undefined && isXmlGrouping(inner) ? ['date'] : [];
  }
  const fixed = levels.slice(0, path.length);
  return dimensions.filter((dimension) => !fixed.includes(dimension));
}

/** Makes the store of the panel beside a report. */
export function createDrillStore(bridge: AppBridge): DrillStore {
  return createStore<DrillState>((set, get) => {
    async function ask(query: ReportQuery, drill: Drill, read: boolean): Promise<DrillAnswer> {
      const [of] = drill.of;
      if (query.source.kind === 'xml' && of !== undefined) {
        return bridge.call('reports.drill', { query, drill: { of, by: drill.by }, read });
      }
      // The rows of Search carry every dimension: what is loaded answers by itself.
      const isDate = drill.by === 'date';
      const fixed = drill.of.map(({ dimension }) => dimension);
      const page = await bridge.call('reports.page', {
        query: {
          ...query,
          levels: [drill.by],
          only: [...query.only.filter(({ dimension }) => !fixed.includes(dimension)), ...drill.of],
          search: '',
          // Where there are more days than rows, the newest are shown.
          sort: isDate ? { column: 'date', descending: true } : query.sort,
        },
        expanded: [],
        offset: 0,
        limit: maxDrillRows,
        read: read ? 'missing' : 'none',
      });
      const rows = page.rows.map(({ path, values, unlike }) => ({ value: path[0] ?? null, values, unlike }));
      const { columns, rowCount, state } = page;
      return {
        columns,
        rows: isDate ? rows.toReversed() : rows,
        rowCount,
        newestDays: isDate && rowCount > rows.length ? rows.length : null,
        state,
      };
    }

    const question = numberedQuestions();

    async function load(read: boolean): Promise<void> {
      const { query, drill } = get();
      if (query === null || drill === null) return;
      const isShown = (): boolean => get().drill === drill && get().query === query;
      const isNewest = question();
      try {
        const answer = await ask(query, drill, read);
        if (isShown() && isNewest()) set({ answer, failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (isShown() && isNewest()) set({ failure: error });
      }
    }

    const follow = readAgain(() => load(false));

    return {
      drill: null,
      query: null,
      answer: null,
      failure: null,
      open(query, drill) {
        set({ query, drill, answer: null, failure: null });
        void load(true);
      },
      close: () => set({ query: null, drill: null, answer: null, failure: null }),
      refresh: () => void load(true),
      cancel() {
        const reading = get().query?.source.kind === 'xml' ? 'drill' : 'page';
        bridge.call('reports.cancel', { reading }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          set({ failure: error });
        });
      },
      start: () => followEvent(bridge, 'reports.changed', follow),
    };
  });
}
