import { alertsStore } from '#renderer/stores/alerts-store.ts';
import { marksStore, viewsStore } from './stores/marks-store.ts';
import {
  drillStore,
  largestStore,
  partOf,
  reportPreferences,
  reportsStore,
  rowActionsStore,
  type ReportPart,
  hasNoFigures,
} from './stores/stores.ts';
import { useReport, useServiceToday } from './use-report.ts';
import { formatReport, parseReport } from './stores/report-address.ts';
import type { ReportsState } from './stores/reports-store.ts';
import type { WatchedFigures } from './stores/row-actions-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { panelLimits } from '#renderer/stores/ui/ui-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { SplitPane, pages } from '#renderer/ui/index.ts';
import { lazy, Suspense, useEffect, useRef, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { AlertsPanel } from './alerts/alerts-panel.tsx';
import { DrillPanel } from './drill-panel.tsx';
import { ChartPart } from './figures/chart-part.tsx';
import { KeyFigures } from './figures/key-figures.tsx';
import { FilesToast, PrintPart } from './export-menu.tsx';
import { FilterChips, ReportControls, ReportHeader } from './frame/report-header.tsx';
import { ChooseSource, NoFigures, NoKey, Notices } from './frame/states.tsx';
import { MarksPanel } from './marks/marks-panel.tsx';
import { closeAlertPanel, ReportTable } from './table/report-table.tsx';
import { SelectionBar, TableTools } from './table/table-tools.tsx';
import styles from './frame/frame.module.css';

export function ReportsView({ parameters }: { parameters: string }): ReactElement {
  useReportOf(parameters);
  useReloadOnNewDay();
  useEffect(() => {
    const stops = [reportsStore, drillStore, largestStore, marksStore, alertsStore].map((store) =>
      store.getState().start(),
    );
    return () => stops.forEach((stop) => stop());
  }, []);
  const watched = useWatched();
  const isDrilling = useStore(drillStore, ({ drill }) => drill !== null);
  const { panelWidth, setPanelWidth } = useStore(uiStore);
  return (
    <SplitPane
      main={<Report part={partOf(parameters)} />}
      side={
        watched !== null ? (
          <Suspense>
            <AlertPanel watched={watched} onClose={closeAlertPanel} />
          </Suspense>
        ) : isDrilling ? (
          <DrillPanel />
        ) : null
      }
      sideLabel="the panel of one value"
      width={panelWidth}
      min={panelLimits.min}
      max={panelLimits.max}
      onResize={setPanelWidth}
    />
  );
}

const AlertPanel = lazy(async () => ({ default: (await import('./alerts/alert-panel.tsx')).AlertPanel }));

function useWatched(): WatchedFigures | null {
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id);
  useEffect(() => () => rowActionsStore.getState().set({ menu: null, watched: null }), [profileId]);
  return useStore(rowActionsStore, (state) => state.watched);
}

/** Reloads the report when the service day ends, because presets mean other days. */
function useReloadOnNewDay(): void {
  const { today } = useServiceToday();
  const shown = useRef(today);
  useEffect(() => {
    if (shown.current !== today) reportsStore.getState().reloadForNewDay();
    shown.current = today;
  }, [today]);
}

function useReportOf(parameters: string): void {
  const profile = useStore(sessionStore, ({ session }) => session?.profile ?? null);
  const sources = useStore(reportsStore, (state) => state.sources);
  useEffect(() => {
    const query = parseReport(parameters);
    drillStore.getState().close();
    if (query !== null || parameters !== '') reportsStore.getState().show(query);
    if (query !== null && profile !== null)
      reportPreferences.getState().remember(profile.id, formatReport(query));
  }, [parameters, profile]);
  useEffect(() => {
    if (parameters !== '' || profile === null) return undefined;
    let ended = false;
    void initialReport(profile, sources).then((start) => {
      if (start !== null && !ended) uiStore.getState().replace({ page: 'reports', parameters: start });
    });
    return () => {
      ended = true;
    };
  }, [parameters, profile, sources]);
}

/**
 * The current report, else the view that opens first, else the last report, else in Demo its first source. Null if a
 * person has to choose.
 */
async function initialReport(
  profile: { id: string; kind: string },
  sources: ReportsState['sources'],
): Promise<string | null> {
  const { query } = reportsStore.getState();
  if (query !== null) return formatReport(query);
  const view = await viewsStore.getState().startQuery();
  if (view !== null) return formatReport(view);
  const last = reportPreferences.getState().last[profile.id];
  if (last !== undefined && parseReport(last) !== null) return last;
  const [tid] = sources?.tids ?? [];
  return profile.kind === 'demo' && tid !== undefined ? `xml=${tid}` : null;
}

function Report({ part }: { part: ReportPart }): ReactElement {
  const { query, sources, head } = useReport('query', 'sources', 'head');
  const needsKey = sources !== null && !sources.publisherKey && head === null;
  return (
    <div className={styles.page}>
      <ReportHeader part={part} />
      <FilesToast />
      {part === 'marks' ? (
        <div className={pages.scroll}>
          <MarksPanel />
        </div>
      ) : part === 'alerts' ? (
        <div className={pages.scroll}>
          <AlertsPanel
            source={query?.source ?? { kind: 'search', sid: null }}
            only={query?.only[0] ?? null}
          />
        </div>
      ) : needsKey ? (
        <NoKey />
      ) : query === null ? (
        <ChooseSource />
      ) : (
        <Body />
      )}
    </div>
  );
}

function Body(): ReactElement {
  const { head, failure } = useReport('head', 'failure');
  const nothing = hasNoFigures({ head, failure });
  const isDrilling = useStore(drillStore, ({ drill }) => drill !== null);
  return (
    <>
      <ReportControls />
      <Notices />
      <FilterChips />
      {nothing ? (
        <NoFigures />
      ) : (
        <div className={styles.body}>
          {/* The panel has its own figures and chart, so the rows get this space. */}
          {!isDrilling && <KeyFigures />}
          {!isDrilling && <ChartPart />}
          <section className={styles.table} aria-label="Rows">
            <TableTools />
            <div className={styles.rows}>
              <ReportTable />
            </div>
            <SelectionBar />
          </section>
          <PrintPart />
        </div>
      )}
    </>
  );
}
