import type { ReportQuery, ReportRow, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { isXmlGrouping } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ReportPath, valuesOf } from './report-query.ts';

export type AlertScope = { kind: 'watched'; only: ReportValue | null } | { kind: 'none'; reason: string };

/**
 * The scope of an alert on a row, or on the totals if `path` is empty. An alert watches one value of a report, so not
 * every figure can have one. Days are no part of the scope.
 */
export function alertScope(query: ReportQuery, path: ReportPath): AlertScope {
  const none = (reason: string): AlertScope => ({ kind: 'none', reason });
  const own = valuesOf(query, path);
  const filters = query.only.filter(({ dimension }) => own.every((value) => value.dimension !== dimension));
  const values = [...filters, ...own].filter(({ dimension }) => dimension !== 'date');
  const [only = null, second] = values;
  if (second !== undefined) {
    return none('An alert watches one value. These figures are of several values together.');
  }
  if (only?.value === null) return none('The service does not name this value, so an alert cannot watch it.');
  if (only !== null && query.source.kind === 'xml' && !isXmlGrouping(only.dimension)) {
    return none('Of XML traffic, an alert can watch a country or a sub-ID.');
  }
  const isCut = query.excluded.some((exclusion) => {
    const same = exclusion.find(({ dimension }) => dimension === only?.dimension);
    return same === undefined || (same.value === only?.value && exclusion.length > 1);
  });
  if (isCut) return none('Parts of these figures are excluded here, and an alert would count them.');
  return { kind: 'watched', only };
}

/** The figures for which an alert is being made. */
export interface WatchedFigures {
  source: ReportSource;
  scope: AlertScope;
  metric: string;
}

export interface RowActionsState {
  /** The context menu of a row. `metric` is the column under the pointer, and `at` is in the window, in pixels. */
  menu: { row: ReportRow; metric: string | null; at: { x: number; y: number } } | null;
  watched: WatchedFigures | null;
  /** Gets the focus when the editor of the alert closes. */
  opener: Element | null;
  set: (change: Partial<Omit<RowActionsState, 'set'>>) => void;
}

export function createRowActionsStore(): StoreApi<RowActionsState> {
  return createStore<RowActionsState>((set) => ({ menu: null, watched: null, opener: null, set }));
}
