import { assertNever } from '#shared/lib/assert-never.ts';
import type { ExportFormat } from '#shared/contract/index.ts';
import { rowText } from '../columns/column.ts';
import type { Column } from '../columns/column.ts';
import { csvHeader, csvLine } from './csv.ts';

/** A report in one format, piece by piece: head, then batches with `between` between them, then foot. */
export interface ReportWriter<Row> {
  /** For `content-type`. */
  mediaType: string;
  head: string;
  between: string;
  foot: string;
  rows(batch: readonly Row[]): string;
}

/** What a report says of itself: the envelope's message, and its columns. */
export interface ReportShape<Row> {
  label: string;
  columns: readonly Column<Row>[];
}

/** Writes the report as the envelope of the contract (§2.1), or as CSV (RFC 4180, header first). */
export function reportWriter<Row>(format: ExportFormat, report: ReportShape<Row>): ReportWriter<Row> {
  switch (format) {
    case 'json':
      return jsonWriter(report);
    case 'csv':
      return csvWriter(report);
    default:
      return assertNever(format);
  }
}

function jsonWriter<Row>({ label, columns }: ReportShape<Row>): ReportWriter<Row> {
  return {
    mediaType: 'application/json; charset=utf-8',
    head: `{"status":"success","message":${JSON.stringify(label)},"data":[`,
    between: ',',
    foot: ']}',
    rows: (batch) => batch.map((row) => rowText(columns, row)).join(','),
  };
}

function csvWriter<Row>({ columns }: ReportShape<Row>): ReportWriter<Row> {
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: csvHeader(columns),
    between: '',
    foot: '',
    rows: (batch) => batch.map((row) => csvLine(columns, row)).join(''),
  };
}
