import { profilesStore } from '#renderer/stores/profiles/index.ts';
import type { FileOrigin, ShownTable } from '#renderer/stores/report-files/index.ts';
import { inOrder, reportPreferences, reportsStore, type ReportHead } from '#renderer/stores/reports/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { chartTitle } from '#shared/reports/index.ts';

/** What can be taken away now: the report that is shown, with whose it is. */
export interface ShownReportFile {
  query: ReportQuery;
  head: ReportHead;
  table: ShownTable;
  origin: FileOrigin;
  /** `Net revenue and gross clicks by day`. May have foreign text in it. */
  title: string;
  /** Columns of the chart. */
  metrics: readonly string[];
}

/** The report that the page shows, ready for a file, a picture and paper; null while there is none. */
export function shownReport(): ShownReportFile | null {
  const { answered: query, head, expanded } = reportsStore.getState();
  const profile = sessionStore.getState().session?.profile;
  if (query === null || head === null || profile === undefined) return null;
  const { order, hidden, metrics } = reportPreferences.getState()[query.source.kind];
  const ids = inOrder(
    head.columns.map(({ id }) => id),
    order,
  );
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
