import type { ReportKind } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface ReportLook {
  order: readonly string[];
  hidden: readonly string[];
  heat: boolean;
  chart: boolean;
  metrics: readonly string[];
  changes: boolean;
}

export interface ReportPreferences extends Record<ReportKind, ReportLook> {
  last: Readonly<Record<string, string>>;
  setLook: (kind: ReportKind, change: Partial<ReportLook>) => void;
  toggleColumn: (kind: ReportKind, column: string) => void;
  moveColumn: (kind: ReportKind, columns: readonly string[], move: { column: string; step: 1 | -1 }) => void;
  toggleMetric: (kind: ReportKind, metric: string) => void;
  remember: (profileId: string, parameters: string) => void;
}

export type ReportPreferencesStore = StoreApi<ReportPreferences>;

const key = 'countersign.reports';

const firstLooks: Readonly<Record<ReportKind, ReportLook>> = {
  xml: {
    order: [],
    hidden: ['net_requests', 'gross_valid', 'gross_invalid', 'net_clicks', 'revenue_share'],
    heat: false,
    chart: true,
    metrics: ['net_revenue'],
    changes: true,
  },
  search: { order: [], hidden: [], heat: false, chart: true, metrics: ['revenue'], changes: true },
};

/** Preferences that survive a restart. An unknown value falls back to its default. */
export function createReportPreferences(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): ReportPreferencesStore {
  return createStore<ReportPreferences>((set, get) => {
    function keep(change: Partial<ReportPreferences>): void {
      set(change);
      const { xml, search, last } = get();
      storage.setItem(key, JSON.stringify({ xml, search, last }));
    }
    const setLook: ReportPreferences['setLook'] = (kind, change) =>
      keep({ [kind]: { ...get()[kind], ...change } });

    return {
      ...readLooks(storage.getItem(key)),
      setLook,
      toggleColumn(kind, column) {
        const { hidden } = get()[kind];
        const others = hidden.filter((other) => other !== column);
        setLook(kind, { hidden: others.length < hidden.length ? others : [...hidden, column] });
      },
      moveColumn: (kind, columns, { column, step }) =>
        setLook(kind, { order: withMoved(columns, column, step) }),
      toggleMetric(kind, metric) {
        const { metrics } = get()[kind];
        const others = metrics.filter((other) => other !== metric);
        if (others.length === metrics.length) setLook(kind, { metrics: [...others.slice(-1), metric] });
        else if (others.length > 0) setLook(kind, { metrics: others });
      },
      remember(profileId, parameters) {
        if (get().last[profileId] !== parameters) keep({ last: { ...get().last, [profileId]: parameters } });
      },
    };
  });
}

export function withMoved(items: readonly string[], item: string, step: 1 | -1): string[] {
  const at = items.indexOf(item);
  const to = at + step;
  if (at === -1 || to < 0 || to >= items.length) return [...items];
  return items.toSpliced(at, 1).toSpliced(to, 0, item);
}

/** Columns that a person never moved stay behind their predecessor. */
export function inOrder(columns: readonly string[], order: readonly string[]): string[] {
  const known = order.filter((column) => columns.includes(column));
  if (known.length === 0) return [...columns];
  return columns.reduce<string[]>((placed, column, at) => {
    if (placed.includes(column)) return placed;
    const before = columns[at - 1];
    return placed.toSpliced(before === undefined ? 0 : placed.indexOf(before) + 1, 0, column);
  }, known);
}

function readLooks(text: string | null): Pick<ReportPreferences, ReportKind | 'last'> {
  let found: Partial<Record<ReportKind | 'last', unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) found = parsed;
  } catch {
    // Unreadable preferences fall back to the default layout.
  }
  return {
    xml: readLook(found.xml, firstLooks.xml),
    search: readLook(found.search, firstLooks.search),
    last: readTexts(found.last),
  };
}

function readLook(found: unknown, first: ReportLook): ReportLook {
  if (typeof found !== 'object' || found === null) return first;
  const { order, hidden, heat, chart, metrics, changes } = found as Partial<
    Record<keyof ReportLook, unknown>
  >;
  return {
    order: texts(order) ?? first.order,
    hidden: texts(hidden) ?? first.hidden,
    heat: heat === true,
    chart: chart !== false,
    metrics: texts(metrics)?.slice(0, 2) ?? first.metrics,
    changes: changes !== false,
  };
}

function texts(found: unknown): string[] | null {
  return Array.isArray(found) ? found.filter((text) => typeof text === 'string') : null;
}

function readTexts(found: unknown): Record<string, string> {
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
