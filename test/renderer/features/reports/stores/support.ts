import type { ReportPage, ReportRow } from '#shared/app-api/index.ts';

/** Makes a row of one level with its figures. */
export function row(path: (string | null)[], values: (string | null)[]): ReportRow {
  return { path, values, expandable: false, expanded: false, excluded: false, compared: null, unlike: [] };
}

/** Makes a page of XML traffic with clicks, revenue and the metrics derived from them. */
export function page(change: Partial<ReportPage> = {}): ReportPage {
  const days = { from: '2026-11-15', to: '2026-11-21' };
  return {
    range: days,
    counted: days,
    compared: null,
    incompleteDay: null,
    zone: 'UTC',
    columns: [
      { id: 'net_clicks', kind: 'count', label: null },
      { id: 'net_revenue', kind: 'money', label: null },
      { id: 'epc', kind: 'rate', label: null },
    ],
    dimensions: ['date', 'geo', 'subid'],
    rows: [],
    rowCount: 0,
    excludedCount: 0,
    totals: [null, null, null],
    comparedTotals: null,
    days: [],
    comparedDays: [],
    version: '1',
    state: {
      state: 'idle',
      doneRequests: 1,
      allRequests: 1,
      receivedBytes: 10,
      failure: null,
      readAtMs: 1,
      partial: false,
    },
    ...change,
  };
}
