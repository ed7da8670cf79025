import {
  drillStore,
  parseReport,
  reportPreferences,
  reportsStore,
  type ReportsState,
} from '#renderer/stores/reports/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { panelLimits, uiStore } from '#renderer/stores/ui/index.ts';
import { SplitPane } from '#renderer/ui/index.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { DrillPanel } from './drill/drill-panel.tsx';
import { ChartPart } from './figures/chart-part.tsx';
import { KeyFigures } from './figures/key-figures.tsx';
import { FilterChips } from './frame/filter-chips.tsx';
import { Notices } from './frame/notices.tsx';
import { ReportControls } from './frame/report-controls.tsx';
import { ReportHeader } from './frame/report-header.tsx';
import { ChooseSource, NoFigures, NoKey } from './frame/states.tsx';
import { ReportTable } from './table/report-table.tsx';
import { SelectionBar } from './table/selection-bar.tsx';
import { TableTools } from './table/table-tools.tsx';
import styles from './reports-view.module.css';

/** The reports of a publisher: traffic and money by day, country, feed and sub-id. The address says which. */
export function ReportsView({ parameters }: { parameters: string }): ReactElement {
  useReportOf(parameters);
  useEffect(() => {
    const stops = [reportsStore.getState().start(), drillStore.getState().start()];
    return () => stops.forEach((stop) => stop());
  }, []);
  const isDrilling = useStore(drillStore, ({ drill }) => drill !== null);
  const { panelWidth, setPanelWidth } = useStore(uiStore);
  return (
    <SplitPane
      main={<Report />}
      side={isDrilling ? <DrillPanel /> : null}
      sideLabel="the panel of one value"
      width={panelWidth}
      min={panelLimits.min}
      max={panelLimits.max}
      onResize={setPanelWidth}
    />
  );
}

/** Shows what the address says, and remembers it. An address without parameters becomes that of the report to begin with. */
function useReportOf(parameters: string): void {
  const profile = useStore(sessionStore, ({ session }) => session?.profile ?? null);
  const sources = useStore(reportsStore, (state) => state.sources);
  useEffect(() => {
    const query = parseReport(parameters);
    drillStore.getState().close();
    if (query !== null || parameters !== '') reportsStore.getState().show(query);
    if (query !== null && profile !== null) reportPreferences.getState().remember(profile.id, parameters);
  }, [parameters, profile]);
  useEffect(() => {
    if (parameters !== '' || profile === null) return;
    const start = startOf(profile, sources);
    if (start !== null) uiStore.getState().replace({ page: 'reports', parameters: start });
  }, [parameters, profile, sources]);
}

/** The report to begin with: the one that was shown last, and in the Demo that of its first source; null where a person chooses. */
function startOf(profile: { id: string; kind: string }, sources: ReportsState['sources']): string | null {
  const last = reportPreferences.getState().last[profile.id];
  if (last !== undefined && parseReport(last) !== null) return last;
  const [tid] = sources?.tids ?? [];
  return profile.kind === 'demo' && tid !== undefined ? `xml=${tid}` : null;
}

function Report(): ReactElement {
  const { query, sources, head } = useStore(reportsStore);
  const needsKey = sources !== null && !sources.publisherKey && head === null;
  return (
    <div className={styles.page}>
      <ReportHeader />
      {needsKey ? <NoKey /> : query === null ? <ChooseSource /> : <Body />}
    </div>
  );
}

function Body(): ReactElement {
  const { head, failure } = useStore(reportsStore);
  const nothing =
    head === null
      ? failure !== null
      : head.rowCount === 0 && head.state.state !== 'reading' && !head.totals.some((total) => total !== null);
  return (
    <>
      <ReportControls />
      <Notices />
      <FilterChips />
      {nothing ? (
        <NoFigures />
      ) : (
        <div className={styles.body}>
          <KeyFigures />
          <ChartPart />
          <section className={styles.table} aria-label="Rows">
            <TableTools />
            <div className={styles.rows}>
              <ReportTable />
            </div>
            <SelectionBar />
          </section>
        </div>
      )}
    </>
  );
}
