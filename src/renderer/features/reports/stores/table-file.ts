import type {
  ProfileView,
  ReportQuery,
  ReportSource,
  ReportExclusion,
  ReportRow,
} from '#shared/app-api/index.ts';
import {
  dimensionLabel,
  type FileRow,
  type FileShape,
  flagText,
  incompleteDayOf,
  isExcludedFromTotals,
  reportLabels,
  type ReportFacts,
  type ShareColumn,
  shareColumn,
  shareColumnId,
  shareText,
  valueLabel,
} from '#shared/reports/index.ts';
import type { ReportHead } from './report-rows.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ShownTable {
  query: ReportQuery;
  expanded: readonly (readonly (string | null)[])[];
  columns: readonly string[];
}

export interface FileOrigin {
  service: string;
  profile: ProfileView;
}

type TableRow = Pick<ReportRow, 'path' | 'values' | 'compared' | 'unlike'>;

export function tableShape(
  head: ReportHead,
  { query, columns }: ShownTable,
  formats: Formats,
): { shape: FileShape; rowOf: (row: TableRow) => FileRow } {
  const shown = columns.flatMap((id) => fileColumn(head, query, id));
  const day = incompleteDayOf(head);
  return {
    shape: {
      dimensions: query.levels,
      columns: shown.map(({ column }) => column),
      compared: head.compared !== null,
      flagged: shown.some(({ column: { id, kind } }) => kind === 'share' && id !== shareColumnId),
    },
    rowOf: ({ path, values, compared, unlike }) => ({
      path,
      values: shown.map(({ of }) =>
        of(values, isExcludedFromTotals(path, query.levels, day) ? [] : head.totals),
      ),
      compared: compared && shown.map(({ of }) => of(compared, head.comparedTotals ?? [])),
      flag: flagText({ values, unlike }, head.columns, formats),
    }),
  };
}

function fileColumn(head: ReportHead, query: ReportQuery, id: string): Pick<ShareColumn, 'column' | 'of'>[] {
  if (id === shareColumnId) return [shareColumn(query.source.kind, query.sort.column, head.columns)];
  const place = head.columns.findIndex((column) => column.id === id);
  const column = head.columns[place];
  return column === undefined ? [] : [{ column, of: (values) => values[place] ?? null }];
}

export function tableFacts(
  head: ReportHead,
  query: ReportQuery,
  { service, profile }: FileOrigin,
): ReportFacts {
  return {
    service,
    profile: profile.name,
    account: profile.account === '' ? null : profile.account,
    report: sourceText(query.source),
    range: head.counted ?? head.range,
    compared: head.compared,
    incompleteDay: incompleteDayOf(head),
    zone: head.zone,
    filters: filterTexts(query),
    readAtMs: head.state.readAtMs,
    partial: head.state.partial,
  };
}

export function tableFileName(head: ReportHead, { source }: ReportQuery, ending: 'csv' | 'png'): string {
  const id = source.kind === 'xml' ? source.tid : (source.sid ?? 'all');
  const { from, to } = head.counted ?? head.range;
  return `countersign-${source.kind}-${id}-${from}${from === to ? '' : `-${to}`}.${ending}`;
}

function sourceText(source: ReportSource): string {
  const label = reportLabels[source.kind];
  if (source.kind === 'xml') return `${label} of source ${source.tid}`;
  return source.sid === null ? `${label}, every feed` : `${label} of feed ${source.sid}`;
}

/** `Only Country: Brazil (BR)`, `Without Country › Feed: Brazil (BR) › 7`, `Search: x`. */
function filterTexts({ only, excluded, search }: ReportQuery): string[] {
  const namesOf = (values: ReportExclusion): string =>
    values.map(({ dimension }) => dimensionLabel(dimension)).join(' › ');
  const labelsOf = (values: ReportExclusion): string =>
    values.map(({ dimension, value }) => valueLabel(dimension, value)).join(' › ');
  const texts = (verb: string, rows: readonly ReportExclusion[]): string[] =>
    [...Map.groupBy(rows, namesOf)].map(
      ([names, found]) => `${verb} ${names}: ${found.map(labelsOf).join(', ')}`,
    );
  return [
    ...texts(
      'Only',
      only.map((value) => [value]),
    ),
    ...texts('Without', excluded),
    ...(search === '' ? [] : [`Search: ${search}`]),
  ];
}

interface ShareOfTotal {
  column: ReturnType<typeof shareColumn>['column'];
  of: (row: ReportRow) => { text: string; part: number };
  /** `100%`, a dash if the total is 0 or missing, or null before a load. */
  foot: string | null;
}

const noShare = { text: '—', part: 0 };

export function shareOfTotal(query: ReportQuery, head: ReportHead | null, formats: Formats): ShareOfTotal {
  const { at, column } = shareColumn(query.source.kind, query.sort.column, head?.columns ?? []);
  const total = head?.totals[at] ?? null;
  const day = head && incompleteDayOf(head);
  return {
    column,
    of({ path, values, excluded }) {
      if (excluded || isExcludedFromTotals(path, query.levels, day)) return noShare;
      const text = shareText(values[at] ?? null, total, formats);
      if (text === null) return noShare;
      return { text, part: Math.min(1, Math.max(0, Number(values[at]) / Number(total))) };
    },
    foot: head && (shareText(total, total, formats) === null ? noShare.text : '100%'),
  };
}
