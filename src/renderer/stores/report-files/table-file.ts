import type {
  ProfileView,
  ReportPage,
  ReportQuery,
  ReportSource,
  ReportValue,
} from '#shared/app-api/index.ts';
import {
  dimensionLabel,
  type FileRow,
  type FileShape,
  reportLabels,
  type ReportFacts,
  valueLabel,
} from '#shared/reports/index.ts';

type Head = Omit<ReportPage, 'rows'>;

/** The table as shown on the page. */
export interface ShownTable {
  query: ReportQuery;
  expanded: readonly (readonly (string | null)[])[];
  /** Ids of the columns in their order. */
  columns: readonly string[];
}

/** The account of the figures. */
export interface FileOrigin {
  /** The address of the service's publisher API, or `Demo`. */
  service: string;
  profile: ProfileView;
}

/** The columns of the table for a file, and how its rows are made of those of the report. */
export function tableShape(
  head: Head,
  { query, columns }: ShownTable,
): { shape: FileShape; rowOf: (row: FileRow) => FileRow } {
  const places = columns
    .map((id) => head.columns.findIndex((column) => column.id === id))
    .filter((place) => place >= 0);
  const pick = (values: FileRow['values']): (string | null)[] => places.map((place) => values[place] ?? null);
  return {
    shape: {
      dimensions: query.levels,
      columns: places.flatMap((place) => head.columns[place] ?? []),
      compared: head.compared !== null,
    },
    rowOf: ({ path, values, compared }) => ({
      path,
      values: pick(values),
      compared: compared && pick(compared),
    }),
  };
}

/** Where the figures come from, for the head of a file, a picture and paper. */
export function tableFacts(head: Head, query: ReportQuery, { service, profile }: FileOrigin): ReportFacts {
  return {
    service,
    profile: profile.name,
    account: profile.account === '' ? null : profile.account,
    report: sourceText(query.source),
    range: head.counted ?? head.range,
    compared: head.compared,
    incompleteDay: query.includeToday ? head.incompleteDay : null,
    zone: head.zone,
    filters: filterTexts(query),
    readAtMs: head.state.readAtMs,
    partial: head.state.partial,
  };
}

/** `countersign-xml-4711-2026-11-15-2026-11-21.csv`. */
export function tableFileName(head: Head, { source }: ReportQuery, ending: 'csv' | 'png'): string {
  const id = source.kind === 'xml' ? source.tid : (source.sid ?? 'all');
  const { from, to } = head.counted ?? head.range;
  return `countersign-${source.kind}-${id}-${from}${from === to ? '' : `-${to}`}.${ending}`;
}

function sourceText(source: ReportSource): string {
  const label = reportLabels[source.kind];
  if (source.kind === 'xml') return `${label} of source ${source.tid}`;
  return source.sid === null ? `${label}, every feed` : `${label} of feed ${source.sid}`;
}

/** `Only Country: Brazil (BR)`, `Without Sub-ID: x`, `Search: x`; values of one dimension in one text. */
function filterTexts({ only, excluded, search }: ReportQuery): string[] {
  const texts = (verb: string, values: readonly ReportValue[]): string[] =>
    [...Map.groupBy(values, ({ dimension }) => dimension)].map(
      ([dimension, found]) =>
        `${verb} ${dimensionLabel(dimension)}: ${found.map(({ value }) => valueLabel(dimension, value)).join(', ')}`,
    );
  return [
    ...texts('Only', only),
    ...texts('Without', excluded),
    ...(search === '' ? [] : [`Search: ${search}`]),
  ];
}
