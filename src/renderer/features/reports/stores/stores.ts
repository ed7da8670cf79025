import { appBridge } from '#renderer/api/app-bridge.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { useNow } from '#renderer/ui/index.ts';
import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  createChangesStore,
  createDrillStore,
  createLargestStore,
  drillDimensions,
} from './beside-stores.ts';
import { valuesOf } from './report-query.ts';
import { createHeatStore } from './heat-store.ts';
import { formatReport } from './report-address.ts';
import { createReportPreferences } from './report-preferences.ts';
import { createReportsStore, type ReportsState } from './reports-store.ts';

export const reportsStore = createReportsStore(appBridge);

export const drillStore = createDrillStore(appBridge);

export const largestStore = createLargestStore(appBridge);

export const changesStore = createChangesStore(appBridge);

export const heatStore = createHeatStore();

export const reportPreferences = createReportPreferences(localStorage);

/** Parts of the page: the report itself, the marks of the profile, or its alerts. */
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

/** Changes what the address says, and with it the report. A change while typing takes the place of the one before. */
export function goToReport(query: ReportQuery, how: 'push' | 'replace' = 'push'): void {
  const { navigate, replace } = uiStore.getState();
  const route = { page: 'reports', parameters: formatReport(query) } as const;
  if (how === 'push') navigate(route);
  else replace(route);
}

/** False for rows of XML traffic by a dimension of the service's own, of which it can be asked for nothing more. */
export function canDrillInto(query: ReportQuery, row: ReportRow): boolean {
  return query.source.kind === 'search' || drillDimensions(query, row.path, []).length > 0;
}

/** Opens the panel of a row, split by the first dimension that there is. */
export function drillInto(row: ReportRow, by?: string): void {
  const { answered, head } = reportsStore.getState();
  if (answered === null || head === null) return;
  const split = by ?? drillDimensions(answered, row.path, head.dimensions)[0];
  if (split === undefined) return;
  drillStore.getState().open(answered, { of: valuesOf(answered, row.path), by: split });
}

/**
 * Fields of the shown report. A component is drawn again only when one of those that it names changes: each block of rows that
 * arrives while a person scrolls changes `rows`, and most of the page has no use for it.
 */
export function useReport<Field extends keyof ReportsState>(...fields: Field[]): Pick<ReportsState, Field> {
  return useStore(
    reportsStore,
    useShallow(
      (state) =>
        Object.fromEntries(fields.map((field) => [field, state[field]])) as Pick<ReportsState, Field>,
    ),
  );
}

/** True if there is nothing to show of the report: it could not be read, or has no figures. */
export function hasNoFigures({ head, failure }: Pick<ReportsState, 'head' | 'failure'>): boolean {
  if (head === null) return failure !== null;
  return (
    head.rowCount === 0 && head.state.state !== 'reading' && head.totals.every((total) => total === null)
  );
}

/** True for a failure of the days that were asked for, which stands at their field. */
export function isOfDays({ field }: { field: string }): boolean {
  return field.startsWith('date_');
}

const minuteMs = 60_000;

/** The profile's service-day zone, and the day that it is there by the service's clock. */
export function useServiceToday(): { zone: string; today: string } {
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const nowMs = useNow(minuteMs) + useStore(sessionStore, serviceAheadMs);
  return { zone, today: serviceDay(nowMs, zone).date };
}
