import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { canCopyPicture, type FilesFlow, filesStore } from './stores/files-store.ts';
import {
  type FileOrigin,
  type ShownTable,
  tableFacts,
  tableFileName,
  tableShape,
} from './stores/table-file.ts';
import { inOrder } from './stores/report-preferences.ts';
import { readRows, type ReportHead } from './stores/report-rows.ts';
import { reportPreferences, reportsStore } from './stores/stores.ts';
import { unsplitDimension } from './stores/report-query.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import type { ReportPrefill } from '#renderer/stores/schedules/report-form.ts';
import { schedulesStore } from '#renderer/stores/schedules/schedules-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { chartPng, type PrintedReport, PrintSheet } from '#renderer/ui/chart/index.ts';
import {
  useFormats,
  Button,
  FailureToast,
  ForeignText,
  Menu,
  type MenuEntry,
  Toast,
} from '#renderer/ui/index.ts';
import type { AppInput, ReportQuery } from '#shared/app-api/index.ts';
import {
  chartTitle,
  daysIn,
  dimensionInSentence,
  factPairs,
  shareColumnId,
  totalLabel,
  xmlGroupingOf,
} from '#shared/reports/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

const entries: MenuEntry[] = [
  { id: 'table', label: 'Save table as CSV…', icon: 'download' },
  { id: 'copy', label: 'Copy table', icon: 'copy' },
  { id: 'picture', label: 'Save chart as PNG…', icon: 'picture' },
  ...(canCopyPicture ? [{ id: 'copy-picture', label: 'Copy chart', icon: 'copy' } as const] : []),
  { id: 'print', label: 'Print…', icon: 'print' },
  { id: 'csv', label: 'Save the service’s CSV…', icon: 'download' },
  { id: 'json', label: 'Save the service’s JSON…', icon: 'download' },
  { id: 'schedule', label: 'Schedule this report…', icon: 'schedules' },
];

const serviceEntries: ReadonlySet<string> = new Set(['csv', 'json', 'schedule']);

export function ExportMenu(): ReactElement {
  const formats = useFormats();
  const { flow, cancel } = useStore(filesStore);
  const isRead = useStore(reportsStore, ({ head }) => head !== null && head.rowCount > 0);
  if (flow.kind === 'running') {
    return (
      <>
        <span role="status">{progressText(flow, formats)}</span>
        <Button size="small" onClick={cancel}>
          Cancel export
        </Button>
      </>
    );
  }
  if (flow.kind === 'cancelling') return <span role="status">Cancelling…</span>;
  return (
    <Menu
      label="Export"
      name="Export"
      icon="download"
      entries={entries.map((entry) => ({ ...entry, disabled: !isRead && !serviceEntries.has(entry.id) }))}
      onAction={(id) => {
        const report = shownReport();
        if (report !== null) void runExport(id, report, formats);
      }}
    />
  );
}

async function runExport(id: string, report: ShownReportFile, formats: Formats): Promise<void> {
  const { saveTable, copyTable, savePicture, copyPicture, saveServiceFile, readForPrint } =
    filesStore.getState();
  const { query, head, table, origin } = report;
  const picture = (): Promise<Blob> => chartPng({ ...pictureOf(report), theme: 'paper' }, formats);
  switch (id) {
    case 'table':
      return saveTable(table, origin);
    case 'copy':
      return copyTable(table);
    case 'picture':
      return savePicture(tableFileName(head, query, 'png'), picture);
    case 'copy-picture':
      return copyPicture(picture);
    case 'print':
      await readForPrint(table);
      window.print();
      return;
    case 'schedule':
      schedulesStore.getState().openForm(prefillOf(report));
      return uiStore.getState().navigate({ page: 'schedules', id: null });
    default:
      return saveServiceFile(serviceFile(query, id === 'json' ? 'json' : 'csv'));
  }
}

function pictureOf({ head, query, origin, title, metrics }: ShownReportFile) {
  const unsplit = unsplitDimension(query);
  const whole = `the whole source; days are not split by ${dimensionInSentence(unsplit ?? '')}`;
  return {
    title,
    facts: [
      ...factPairs(tableFacts(head, query, origin)),
      ...(unsplit === null ? [] : [['Lines', whole] as const]),
    ],
    columns: head.columns,
    shown: metrics,
    days: head.days,
    comparedDays: head.comparedDays,
    incompleteDay: head.incompleteDay,
  };
}

function prefillOf({ query, head }: ShownReportFile): ReportPrefill {
  const { source } = query;
  const { grouping } = serviceFile(query, 'csv');
  const days = daysIn(head.counted ?? head.range);
  return source.kind === 'xml'
    ? { report: 'xml', tid: String(source.tid), groupBy: grouping, days }
    : { report: 'search', sid: source.sid === null ? '' : String(source.sid), days };
}

function serviceFile(query: ReportQuery, format: 'csv' | 'json'): AppInput<'reports.exportStart'> {
  const { source, range } = query;
  return { source, range, grouping: xmlGroupingOf(query), format };
}

function progressText(
  { unit, done, all }: { unit: 'rows' | 'bytes'; done: number; all: number | null },
  formats: Formats,
) {
  if (unit === 'bytes') return `Exporting: ${(done / 1_000_000).toFixed(1)} MB`;
  return all === null ? 'Exporting…' : `Exporting: ${formats.count(done)} of ${formats.counted(all, 'row')}`;
}

const successMs = 6_000;

const isSuccess = (flow: FilesFlow): boolean =>
  flow.kind === 'saved' || flow.kind === 'picture-copied' || (flow.kind === 'copied' && flow.skipped === 0);

/** Dismisses only a success: after a time, or when the page is left. */
function usePassingSuccess(): void {
  const { flow, dismiss } = useStore(filesStore);
  useEffect(() => {
    if (!isSuccess(flow)) return undefined;
    const timer = setTimeout(dismiss, successMs);
    return () => clearTimeout(timer);
  }, [flow, dismiss]);
  useEffect(
    () => () => {
      if (isSuccess(filesStore.getState().flow)) dismiss();
    },
    [dismiss],
  );
}

export function FilesToast(): ReactElement | null {
  const formats = useFormats();
  const { flow, dismiss } = useStore(filesStore);
  usePassingSuccess();
  if (flow.kind === 'idle' || flow.kind === 'running' || flow.kind === 'cancelling') return null;
  if (flow.kind === 'picture-copied') return <Toast tone="good" title="Chart copied." onDismiss={dismiss} />;
  if (flow.kind === 'saved')
    return (
      <Toast tone="good" title="Saved." onDismiss={dismiss}>
        <ForeignText text={flow.name} />
      </Toast>
    );
  if (flow.kind === 'failed') return <FailureToast failure={flow.failure} onDismiss={dismiss} />;
  return (
    <Toast tone="good" title={`${formats.counted(flow.rows, 'row')} copied.`} onDismiss={dismiss}>
      {flow.skipped > 0 && (
        <span>{`${formats.counted(flow.skipped, 'row')} left out: save the table as CSV to have them all. `}</span>
      )}
      {flow.incompleteDay !== null && <span>{`${flow.incompleteDay} is incomplete.`}</span>}
    </Toast>
  );
}

const maxRows = 500;

export function PrintPart(): ReactElement {
  const formats = useFormats();
  useEffect(() => {
    const { clearPrinted } = filesStore.getState();
    window.addEventListener('afterprint', clearPrinted);
    return () => window.removeEventListener('afterprint', clearPrinted);
  }, []);
  return <PrintSheet content={() => printedReport(formats)} />;
}

function printedReport(formats: Formats): PrintedReport | null {
  const report = shownReport();
  const { rows } = reportsStore.getState();
  if (report === null || rows === null) return null;
  // Rows, total and chart must come from one answer. The page may have newer rows by now.
  const printed = filesStore.getState().printed ?? { ...report.head, rows: readRows(rows).slice(0, maxRows) };
  const { rows: shown, ...head } = printed;
  const { shape, rowOf } = tableShape(head, report.table, formats);
  return {
    picture: pictureOf({ ...report, head }),
    shape,
    rows: shown.filter(({ excluded }) => !excluded).map(rowOf),
    rowCount: head.rowCount - head.excludedCount,
    total: rowOf({ path: [], values: head.totals, compared: head.comparedTotals, unlike: [] }),
    totalLabel: totalLabel(report.query, formats),
  };
}

export interface ShownReportFile {
  query: ReportQuery;
  head: ReportHead;
  table: ShownTable;
  origin: FileOrigin;
  title: string;
  metrics: readonly string[];
}

function shownReport(): ShownReportFile | null {
  const { answered: query, head, expanded } = reportsStore.getState();
  const profile = sessionStore.getState().session?.profile;
  if (query === null || head === null || profile === undefined) return null;
  const { order, hidden, metrics } = reportPreferences.getState()[query.source.kind];
  const ids = inOrder([shareColumnId, ...head.columns.map(({ id }) => id)], order);
  const detail = profilesStore.getState().list?.items.find(({ id }) => id === profile.id);
  const service = profile.kind === 'demo' ? 'Demo, embedded' : (detail?.addresses.apiUrl ?? profile.name);
  const drawn = metrics.flatMap((id) => head.columns.find((column) => column.id === id) ?? []);
  return {
    query,
    head,
    table: { query, expanded, columns: ids.filter((id) => !hidden.includes(id)) },
    origin: { service, profile },
    title: chartTitle(drawn),
    metrics,
  };
}
