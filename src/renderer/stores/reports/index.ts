import { appBridge } from '#renderer/api/app-bridge.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { uiStore } from '../ui/index.ts';
import { createDrillStore } from './drill-store.ts';
import { formatReport } from './report-address.ts';
import { createReportPreferences } from './report-preferences.ts';
import { createReportsStore } from './reports-store.ts';

export { drillDimensions } from './drill-store.ts';
export type { Drill, DrillAnswer } from './drill-store.ts';
export { formatReport, parseReport } from './report-address.ts';
export { inOrder, moved } from './report-preferences.ts';
export type { ReportLook } from './report-preferences.ts';
export {
  firstQuery,
  pathKey,
  sortedBy,
  valueOf,
  withExcludedToggled,
  withLevels,
  withOnly,
  withoutOnly,
  withRange,
  withSource,
} from './report-query.ts';
export type { ReportPath } from './report-query.ts';
export { readRows, rowAt, selectionSums } from './report-rows.ts';
export type { ReportRows, RowSelection } from './report-rows.ts';
export { cursorRow } from './reports-store.ts';
export type { ReportHead, ReportsState } from './reports-store.ts';

/** The page's store of the report that is shown. */
export const reportsStore = createReportsStore(appBridge);

/** The page's store of the panel beside a report. */
export const drillStore = createDrillStore(appBridge);

/** How reports are drawn, and which was shown last. */
export const reportPreferences = createReportPreferences(localStorage);

/** Changes what the address says, and with it the report. A change while typing takes the place of the one before. */
export function goToReport(query: ReportQuery, how: 'push' | 'replace' = 'push'): void {
  const { navigate, replace } = uiStore.getState();
  const route = { page: 'reports', parameters: formatReport(query) } as const;
  if (how === 'push') navigate(route);
  else replace(route);
}
