import { appBridge } from '#renderer/api/app-bridge.ts';
import { createAlertHistoryStore } from './alert-history-store.ts';
import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { metricOf } from '#shared/reports/index.ts';
import {
  createChangesStore,
  createDrillStore,
  createLargestStore,
  drillDimensions,
} from './beside-stores.ts';
import {
  mainColumn,
  type ReportPath,
  valuesOf,
  withoutExcluded,
  withExcluded,
  withOnly,
} from './report-query.ts';
import { createHeatStore } from './heat-store.ts';
import { formatReport } from './report-address.ts';
import { createReportPreferences } from './report-preferences.ts';
import { alertScope, createRowActionsStore } from './row-actions-store.ts';
import { createReportsStore, type ReportsState } from './reports-store.ts';

export const reportsStore = createReportsStore(appBridge);

export const drillStore = createDrillStore(appBridge);

/** Reads the days of the value that a new alert watches. */
export const alertDaysStore = createDrillStore(appBridge);

export const largestStore = createLargestStore(appBridge);

export const changesStore = createChangesStore(appBridge);

export const heatStore = createHeatStore();

export const alertHistoryStore = createAlertHistoryStore(appBridge);

export const rowActionsStore = createRowActionsStore();

export const reportPreferences = createReportPreferences(localStorage);

export type ReportPart = 'report' | 'marks' | 'alerts';

export function partOf(parameters: string): ReportPart {
  const part = new URLSearchParams(parameters).get('part');
  return part === 'marks' || part === 'alerts' ? part : 'report';
}

export function goToPart(part: ReportPart): void {
  const { query } = reportsStore.getState();
  const report = query === null ? '' : formatReport(query);
  const parameters = part === 'report' ? report : [report, `part=${part}`].filter(Boolean).join('&');
  uiStore.getState().navigate({ page: 'reports', parameters });
}

/** Shows a report. `replace` adds no entry to the history; use it for changes during typing. */
export function goToReport(query: ReportQuery, how: 'push' | 'replace' = 'push'): void {
  const { navigate, replace } = uiStore.getState();
  const route = { page: 'reports', parameters: formatReport(query) } as const;
  if (how === 'push') navigate(route);
  else replace(route);
}

export function canDrillInto(query: ReportQuery, row: ReportRow): boolean {
  return query.source.kind === 'search' || drillDimensions(query, row.path, []).length > 0;
}

export function drillInto(row: ReportRow, by?: string): void {
  const { answered, head } = reportsStore.getState();
  if (answered === null || head === null) return;
  const split = by ?? drillDimensions(answered, row.path, head.dimensions)[0];
  if (split === undefined) return;
  drillStore.getState().open(answered, { of: valuesOf(answered, row.path), by: split });
}

export function showOnly(query: ReportQuery, row: ReportRow): void {
  goToReport(withOnly(query, valuesOf(query, row.path)));
}

export function toggleCounted(query: ReportQuery, row: ReportRow): void {
  goToReport((row.excluded ? withoutExcluded : withExcluded)(query, [valuesOf(query, row.path)]));
}

/** Opens the editor of an alert on a row, or on the totals if `path` is empty. By default for the metric of the chart. */
export function alertOn(path: ReportPath, metric: string | null): void {
  const { answered } = reportsStore.getState();
  if (answered === null) return;
  const { source } = answered;
  const { [source.kind]: look } = reportPreferences.getState();
  const known = [metric, ...look.metrics].find(
    (id) => id !== null && metricOf(source.kind, id) !== undefined,
  );
  const watched = { source, scope: alertScope(answered, path), metric: known ?? mainColumn[source.kind] };
  rowActionsStore.getState().set({ watched, opener: document.activeElement });
}

export function hasNoFigures({ head, failure }: Pick<ReportsState, 'head' | 'failure'>): boolean {
  if (head === null) return failure !== null;
  return (
    head.rowCount === 0 && head.state.state !== 'reading' && head.totals.every((total) => total === null)
  );
}

export function isOfDays({ field }: { field: string }): boolean {
  return field.startsWith('date_');
}
