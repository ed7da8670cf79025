import { appBridge } from '#renderer/api/app-bridge.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { createChangesStore, createLargestStore, createDrillStore } from './beside-stores.ts';
import { createHeatStore } from './heat-store.ts';
import { formatReport } from './report-address.ts';
import { createReportPreferences } from './report-preferences.ts';
import { createReportsStore } from './reports-store.ts';

/** The page's store of the report that is shown. */
export const reportsStore = createReportsStore(appBridge);

/** The page's store of the panel beside a report. */
export const drillStore = createDrillStore(appBridge);

/** The page's store of the largest values. */
export const largestStore = createLargestStore(appBridge);

/** The page's store of changes on the time axis. */
export const changesStore = createChangesStore(appBridge);

/** The page's store of heat in the cells of its table. */
export const heatStore = createHeatStore();

/** Display preferences of reports, and the last report shown. */
export const reportPreferences = createReportPreferences(localStorage);

/** Parts of the page: the report itself, the marks of the profile, or its alerts. */
export type ReportPart = 'report' | 'marks' | 'alerts';

/** The part that an address names. */
export function partOf(parameters: string): ReportPart {
  const part = new URLSearchParams(parameters).get('part');
  return part === 'marks' || part === 'alerts' ? part : 'report';
}

/** Turns to another part; the report stays as it is. */
export function goToPart(part: ReportPart): void {
  const { query } = reportsStore.getState();
  const report = query === null ? '' : formatReport(query);
  const parameters = part === 'report' ? report : [report, `part=${part}`].filter(Boolean).join('&');
  uiStore.getState().navigate({ page: 'reports', parameters });
}

/** Changes what the address says, and with it the report. A change while typing takes the place of the one before. */
export function goToReport(query: ReportQuery, how: 'push' | 'replace' = 'push'): void {
  const { navigate, replace } = uiStore.getState();
  const route = { page: 'reports', parameters: formatReport(query) } as const;
  if (how === 'push') navigate(route);
  else replace(route);
}
