import {
  filesStore,
  tableFacts,
  tableFileName,
  tableShape,
  type ShownTable,
} from '#renderer/stores/report-files/index.ts';
import { profilesStore } from '#renderer/stores/profiles/index.ts';
import {
  readRows,
  reportPreferences,
  reportsStore,
  type ReportHead,
} from '#renderer/stores/reports/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { chartPng, PrintSheet, type ChartPicture } from '#renderer/ui/chart/index.ts';
import { Banner, Button, ForeignText, IconButton, Menu, Toast, ToastRegion } from '#renderer/ui/index.ts';
import type { AppInput, ProfileView, ReportQuery } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { columnLabel, factPairs } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { choosableColumns } from '../table/columns.tsx';
import styles from './frame.module.css';

/** Rows that stand on paper below the chart. */
const maxPrintedRows = 200;

interface Shown {
  query: ReportQuery;
  head: ReportHead;
  profile: ProfileView;
}

/** The table with the columns that are chosen, in their order. */
function shownTable({ query, head }: Shown): ShownTable {
  const look = reportPreferences.getState()[query.source.kind];
  const columns = choosableColumns({ query, head, look })
    .map(({ id }) => id)
    .filter((id) => !look.hidden.includes(id));
  return { query, expanded: reportsStore.getState().expanded, columns };
}

/** Whose figures they are: the Demo by its name, a live service by its address. */
function originOf(profile: ProfileView): { service: string; profile: ProfileView } {
  const known = profilesStore.getState().list?.items.find(({ id }) => id === profile.id);
  const address = known && 'addresses' in known ? known.addresses?.apiUrl : undefined;
  return { service: profile.kind === 'demo' ? 'Demo' : (address ?? profile.name), profile };
}

function chartOf({ query, head, profile }: Shown): Omit<ChartPicture, 'theme'> {
  const { metrics } = reportPreferences.getState()[query.source.kind];
  const labels = metrics.flatMap((id) => {
    const column = head.columns.find((known) => known.id === id);
    return column ? [inertText(columnLabel(column))] : [];
  });
  return {
    title: `${labels.join(' and ')} by day`,
    facts: factPairs(tableFacts(head, query, originOf(profile))),
    columns: head.columns,
    shown: metrics,
    days: head.days,
    comparedDays: head.comparedDays,
    incompleteDay: head.incompleteDay,
  };
}

/** What the service's own file is asked for: its range, and of XML traffic its grouping. */
function serviceFile(
  { source, range, levels }: ReportQuery,
  format: 'csv' | 'json',
): AppInput<'reports.exportStart'> {
  const [level] = levels;
  const grouping = level === 'geo' || level === 'subid' ? level : 'day';
  return { source, range, grouping, format };
}

const entries = [
  { id: 'copy', label: 'Copy table', icon: 'copy' },
  { id: 'table', label: 'Export table as CSV…', icon: 'download' },
  { id: 'picture', label: 'Export chart as PNG…', icon: 'download' },
  { id: 'print', label: 'Print…', icon: 'reports' },
  { id: 'service-csv', label: 'Export the service’s CSV…', icon: 'external' },
  { id: 'service-json', label: 'Export the service’s JSON…', icon: 'external' },
] as const;

function act(id: string, shown: Shown): void {
  const { copyTable, saveTable, savePicture, saveServiceFile } = filesStore.getState();
  const { query, head } = shown;
  switch (id) {
    case 'copy':
      return void copyTable(shownTable(shown));
    case 'table':
      return void saveTable(shownTable(shown), originOf(shown.profile));
    case 'picture':
      return void savePicture(tableFileName(head, query, 'png'), () =>
        chartPng({ ...chartOf(shown), theme: 'paper' }),
      );
    case 'print':
      return window.print();
    case 'service-csv':
      return void saveServiceFile(serviceFile(query, 'csv'));
    default:
      return void saveServiceFile(serviceFile(query, 'json'));
  }
}

/** Takes the report away: the table, the chart, paper, or the service's own file. One at a time, with its progress. */
export function ExportMenu(): ReactElement | null {
  const { answered, head } = useStore(reportsStore);
  const profile = useStore(sessionStore, ({ session }) => session?.profile ?? null);
  const flow = useStore(filesStore, (state) => state.flow);
  if (answered === null || head === null || profile === null) return null;
  const shown = { query: answered, head, profile };
  return (
    <>
      {flow.kind === 'running' ? (
        <>
          <span className={styles.progress} role="status">
            {progressWords(flow)}
          </span>
          <Button size="small" onClick={filesStore.getState().cancel}>
            Cancel export
          </Button>
        </>
      ) : (
        <Menu
          label="Export"
          icon="download"
          kind="quiet"
          entries={entries}
          onAction={(id) => act(id, shown)}
        />
      )}
      <Paper {...shown} />
      <Outcome />
    </>
  );
}

function progressWords({
  unit,
  done,
  all,
}: {
  unit: 'rows' | 'bytes';
  done: number;
  all: number | null;
}): string {
  if (unit === 'bytes') return `${(done / 1_000_000).toFixed(1)} MB`;
  if (all === null) return 'Exporting…';
  return `${done.toLocaleString('en-US')} of ${counted(all, 'row')}`;
}

/** The chart and the rows as they are printed. */
function Paper(shown: Shown): ReactElement {
  const { query, head } = shown;
  const rows = useStore(reportsStore, (state) => state.rows);
  useStore(reportPreferences);
  const { shape, rowOf } = tableShape(head, shownTable(shown));
  const printed = rows === null ? [] : readRows(rows).filter(({ excluded }) => !excluded);
  return (
    <PrintSheet
      picture={chartOf(shown)}
      shape={shape}
      rows={printed.slice(0, maxPrintedRows).map(rowOf)}
      rowCount={(rows?.count ?? 0) - query.excluded.length}
      total={rowOf({ path: [], values: head.totals, compared: head.comparedTotals })}
    />
  );
}

/** How it ended. */
function Outcome(): ReactElement | null {
  const { flow, dismiss } = useStore(filesStore);
  if (flow.kind === 'idle' || flow.kind === 'running') return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {flow.kind === 'saved' && (
          <Banner tone="good" title="Exported." actions={close}>
            <ForeignText text={flow.name} />
          </Banner>
        )}
        {flow.kind === 'copied' && (
          <Banner tone="good" title={`${counted(flow.rows, 'row')} copied.`} actions={close}>
            {flow.leftOut > 0 &&
              `${counted(flow.leftOut, 'row')} left out: export the table to have them all.`}
          </Banner>
        )}
        {flow.kind === 'failed' && (
          <Banner tone="danger" title={flow.failure.message} actions={close}>
            {flow.failure.next} Nothing of the file was kept.
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}
