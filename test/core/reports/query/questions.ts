import { Dataset } from '#core/reports/query/dataset.ts';
import type { PageQuestion } from '#core/reports/worker/messages.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { tableOf } from '../table-text.ts';

export type Row = Record<string, string | null>;

const sums = { total: 0, monetized: 0, clicks: 0, revenue: 2 };

/** Makes a dataset of Search rows. The compared rows are a week earlier. */
export function datasetOf(rows: readonly Row[], compared: readonly Row[] | null = null): Dataset {
  return new Dataset({
    kind: 'search',
    current: tableOf(rows, sums),
    compared: compared === null ? null : tableOf(compared, sums),
    shiftDays: 7,
  });
}

/** Makes a row with one country's figures. */
export function row(date: string, geo: string, clicks: number | null, more: Row = {}): Row {
  return {
    date,
    feed: '1',
    geo,
    subid: 's',
    clicks: clicks === null ? null : String(clicks),
    revenue: '0.5',
    total: '10',
    monetized: '4',
    ...more,
  };
}

/** Makes a query for the week from 2026-11-09, with these changes. */
export function question(
  query: Partial<ReportQuery> = {},
  rest: Partial<Omit<PageQuestion, 'query'>> = {},
): PageQuestion {
  return {
    query: {
      source: { kind: 'search', sid: null },
      range: { preset: 'last7' },
      comparison: 'previous',
      includeToday: false,
      levels: ['geo'],
      only: [],
      excluded: [],
      search: '',
      sort: { column: 'clicks', descending: true },
      ...query,
    },
    expanded: [],
    offset: 0,
    limit: 100,
    range: { from: '2026-11-09', to: '2026-11-15' },
    compared: { from: '2026-11-02', to: '2026-11-08' },
    incompleteDay: null,
    ...rest,
  };
}
