import type { AppBridge } from '#renderer/api/bridge.ts';
import {
  type AppOutput,
  type LedgerEntry,
  type LedgerFilter,
  type ReportPage,
  type ReportQuery,
  maxDrillRows,
  type ReportValue,
} from '#shared/app-api/index.ts';
import { dayStartMs, serviceDay } from '#shared/campaign/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { addDays, type DayRange, isXmlGrouping } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { asFailure, followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import type { ReportPath } from './report-query.ts';

export interface LargestState {
  dimension: string | null;
  column: string | null;
  page: ReportPage | null;
  show: (query: ReportQuery, dimension: string, column: string) => void;
  /** Reads missing days from the service, once per query: cached rows of another grouping do not contain the dimension. */
  complete: () => void;
  readMissing: () => void;
  start: () => () => void;
}

const maxBars = 6;

export function createLargestStore(bridge: AppBridge): StoreApi<LargestState> {
  return createStore<LargestState>((set, get) => {
    let query: ReportQuery | null = null;
    let completed = '';
    const question = numberedQuestions();
    async function ask(need: 'none' | 'missing'): Promise<void> {
      const { dimension, column } = get();
      const asked = query;
      if (asked === null || dimension === null || column === null) return;
      const isNewest = question();
      try {
        const page = await bridge.call('reports.page', {
          query: {
            ...asked,
            levels: [dimension],
            search: '',
            sort: { column, descending: true },
          },
          expanded: [],
          offset: 0,
          limit: maxBars + Math.min(asked.excluded.length, 100),
          read: need,
        });
        if (asked === query && isNewest()) set({ page });
      } catch (error) {
        asFailure(error);
        if (asked === query && isNewest()) set({ page: null });
      }
    }
    const read = readAgain(() => ask('none'));
    const readMissing = (): void => void ask('missing');
    return {
      dimension: null,
      column: null,
      page: null,
      show(next, dimension, column) {
        const isSame =
          JSON.stringify(query?.source) === JSON.stringify(next.source) && get().dimension === dimension;
        query = next;
        set({ dimension, column, ...(isSame ? {} : { page: null }) });
        read();
      },
      complete() {
        if (query === null) return;
        const { source, range, comparison, includeToday } = query;
        const { dimension, page } = get();
        // A named range means other days after midnight.
        const days = page?.counted ?? null;
        const wanted = JSON.stringify([source, range, comparison, includeToday, dimension, days]);
        if (wanted === completed) return;
        completed = wanted;
        readMissing();
      },
      readMissing,
      start: () => followEvent(bridge, 'reports.changed', read),
    };
  });
}

export interface ChangesState {
  entries: readonly { day: string; entry: LedgerEntry }[];
  /** Changes before this day were not read. Null if all were read. */
  cutBefore: string | null;
  show: (days: DayRange, profile: { id: string; zone: string }) => void;
  clear: () => void;
}

/** Rows per request. There are more rows than changes, because a change has several, from the attempt to the read-back. */
const rowsAtOnce = 200;
const maxPages = 20;
const changed: ReadonlySet<string> = new Set(['write.verified', 'write.differs', 'write.done']);

const noChanges = { entries: [], cutBefore: null } satisfies Partial<ChangesState>;

export function createChangesStore(bridge: AppBridge): StoreApi<ChangesState> {
  return createStore<ChangesState>((set) => {
    let asked = '';

    async function read(question: string, filter: LedgerFilter, zone: string): Promise<void> {
      const dayOf = ({ atMs }: LedgerEntry): string => serviceDay(atMs, zone).date;
      const entries: { day: string; entry: LedgerEntry }[] = [];
      let beforeSeq: number | null = null;
      for (let pages = 1; ; pages += 1) {
        const page: AppOutput<'ledger.list'> = await bridge.call('ledger.list', {
          beforeSeq,
          limit: rowsAtOnce,
          filter,
        });
        if (asked !== question) return;
        for (const entry of page.items) {
          if (changed.has(entry.kind)) entries.push({ day: dayOf(entry), entry });
        }
        const last = page.items.at(-1);
        const isEnd = last === undefined || page.items.length < rowsAtOnce;
        if (isEnd || pages === maxPages) {
          set({ entries, cutBefore: isEnd ? null : dayOf(last) });
          return;
        }
        beforeSeq = last.seq;
      }
    }

    return {
      ...noChanges,
      clear() {
        asked = '';
        set(noChanges);
      },
      show(days, { id, zone }) {
        const question = JSON.stringify([days, id, zone]);
        if (asked === question) return;
        asked = question;
        const filter = {
          proposalId: null,
          profileId: id,
          agentId: null,
          about: 'write',
          cid: null,
          fromMs: dayStartMs(days.from, zone),
          untilMs: dayStartMs(addDays(days.to, 1), zone),
        };
        read(question, filter, zone).catch((error: unknown) => {
          asFailure(error);
          if (asked === question) set(noChanges);
        });
      },
    };
  });
}

export type DrillAnswer = AppOutput<'reports.drill'>;

export interface Drill {
  of: readonly ReportValue[];
  by: string;
}

export interface DrillState {
  drill: Drill | null;
  query: ReportQuery | null;
  answer: DrillAnswer | null;
  failure: AppError | null;
  open: (query: ReportQuery, drill: Drill) => void;
  close: () => void;
  refresh: () => void;
  cancel: () => void;
  start: () => () => void;
}

export type DrillStore = StoreApi<DrillState>;

/**
 * A service cannot filter XML traffic by its own dimensions. Search can be split by any dimension that the row does not
 * contain.
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

export function createDrillStore(bridge: AppBridge): DrillStore {
  return createStore<DrillState>((set, get) => {
    async function ask(query: ReportQuery, drill: Drill, read: boolean): Promise<DrillAnswer> {
      const [of] = drill.of;
      if (query.source.kind === 'xml' && of !== undefined) {
        return bridge.call('reports.drill', { query, drill: { of, by: drill.by }, read });
      }
      const isDate = drill.by === 'date';
      const fixed = drill.of.map(({ dimension }) => dimension);
      const page = await bridge.call('reports.page', {
        query: {
          ...query,
          levels: [drill.by],
          only: [...query.only.filter(({ dimension }) => !fixed.includes(dimension)), ...drill.of],
          search: '',
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
        const failure = asFailure(error);
        if (isShown() && isNewest()) set({ failure });
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
        bridge
          .call('reports.cancel', { reading })
          .catch((error: unknown) => set({ failure: asFailure(error) }));
      },
      start: () => followEvent(bridge, 'reports.changed', follow),
    };
  });
}
