import { alertsStore, unseenAlertEvents } from '#renderer/stores/alerts-store.ts';
import { goToPart, goToReport, reportsStore, type ReportPart } from '../stores/stores.ts';
import { withSource } from '../stores/report-query.ts';
import type { ReportHead } from '../stores/reports-store.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Age, Badge, Button, GuideLink, IconButton, type IconName } from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import type { ReportSource } from '#shared/app-api/index.ts';
import { reportLabels, type ReportKind } from '#shared/reports/index.ts';
import type { ReactElement, ReactNode } from 'react';
import { useStore } from 'zustand';
import { ExportMenu } from '../files/export-menu.tsx';
import { ViewsMenu } from '../views/views-dialog.tsx';
import { SourcePicker } from './source-picker.tsx';
import styles from './frame.module.css';
import { hasNoFigures, useReport } from '../use-report.ts';

type Shown = ReportKind | 'marks' | 'alerts';

const kinds: { id: Shown; label: string }[] = [
  { id: 'xml', label: reportLabels.xml },
  { id: 'search', label: reportLabels.search },
];

/** The source of a report when a person turns to it: its first known one, or every feed. Null where one has to be chosen. */
function sourceOf(kind: ReportKind): ReportSource | null {
  if (kind === 'search') return { kind, sid: null };
  const [tid] = reportsStore.getState().sources?.tids ?? [];
  return tid === undefined ? null : { kind, tid };
}

function turnTo(kind: Shown): void {
  if (kind !== 'xml' && kind !== 'search') return;
  const { query } = reportsStore.getState();
  const source = sourceOf(kind);
  if (query?.source.kind === kind) return goToReport(query);
  if (source === null) uiStore.getState().navigate({ page: 'reports', parameters: `xml=` });
  else if (query !== null) goToReport(withSource(query, source));
  else uiStore.getState().navigate({ page: 'reports', parameters: 'search=all' });
}

/** Title, report, source, how old the figures are, and what is done with the whole report. */
export function ReportHeader({ part }: { part: ReportPart }): ReactElement {
  const { query, head, failure, refresh } = useReport('query', 'head', 'failure', 'refresh');
  const isRead = head !== null && !(failure !== null && hasNoFigures({ head, failure }));
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>Reports</h1>
      <GuideLink href={routeHref({ page: 'guide', place: 'reports' })} />
      <Segments
        label="Report"
        value={part === 'report' ? (query?.source.kind ?? 'xml') : part}
        options={kinds}
        onChange={turnTo}
      />
      {query !== null && part === 'report' && <SourcePicker />}
      <div className={styles.actions}>
        {part === 'report' && isRead && <Reading state={head.state} />}
        {query !== null && <ViewsMenu query={query} onOpen={(view) => goToReport(view)} />}
        {part === 'report' && query !== null && <ExportMenu />}
        <PartButton part="marks" shown={part} icon="watch" label="Marks" />
        <AlertsButton shown={part} />
        <IconButton icon="refresh" label="Refresh" disabled={query === null} onClick={refresh} />
      </div>
    </header>
  );
}

interface PartButtonProps {
  part: ReportPart;
  shown: ReportPart;
  icon: IconName;
  label: string;
  children?: ReactNode;
}

/** Turns to the marks or the alerts; pressed again, back to the report. */
function PartButton({ part, shown, icon, label, children }: PartButtonProps): ReactElement {
  const isShown = part === shown;
  return (
    <Button
      icon={icon}
      kind={isShown ? 'secondary' : 'quiet'}
      aria-pressed={isShown}
      onClick={() => goToPart(isShown ? 'report' : part)}
    >
      <span className={styles.partLabel}>{label}</span>
      {children}
    </Button>
  );
}

function AlertsButton({ shown }: { shown: ReportPart }): ReactElement {
  const unseen = useStore(alertsStore, ({ view }) => unseenAlertEvents(view?.events));
  return (
    <PartButton part="alerts" shown={shown} icon="alerts" label="Alerts">
      {unseen > 0 && <Badge attention count={unseen} label={`${unseen} new`} />}
    </PartButton>
  );
}

/** Progress of a read, or the age of the figures. */
function Reading({ state }: { state: ReportHead['state'] }): ReactElement | null {
  const aheadMs = useStore(sessionStore, serviceAheadMs);
  if (state.state === 'reading') {
    const { doneRequests, allRequests } = state;
    return (
      <>
        <span className={styles.progress} role="status">
          {allRequests > 1 ? `Reading ${doneRequests} of ${allRequests}` : 'Reading'}
          {state.receivedBytes >= bigBytes && <span>{` · ${megabytes(state.receivedBytes)}`}</span>}
          <progress
            className={styles.bar}
            aria-label="Reading"
            max={Math.max(1, allRequests)}
            value={doneRequests}
          />
        </span>
        <Button size="small" onClick={reportsStore.getState().cancel}>
          Cancel
        </Button>
      </>
    );
  }
  if (state.readAtMs === null) return null;
  return (
    <span className={styles.age}>
      read <Age atMs={state.readAtMs} aheadMs={aheadMs} />
    </span>
  );
}

const bigBytes = 1_000_000;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
