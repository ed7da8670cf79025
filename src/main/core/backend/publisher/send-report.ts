import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from '#core/platform/logger.ts';
import type { ExportFormat } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { inertCell, quotedCell } from '#shared/lib/csv.ts';
import type { DayRange } from './reports.ts';
import { rowText, type Column } from './columns.ts';

interface FoundReport<Row> extends ReportShape<Row> {
  /** Name of its file, without dates: letters and dashes only. */
  name: string;
  total: number;
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

interface Sending extends DayRange {
  /** Null for the plain answer. */
  format: ExportFormat | null;
  logger: Logger;
}

/**
 * Sends a report as fast as it is read (contract §4.2): for an export as an attachment, and then without rows as
 * `no_data`; otherwise as the plain answer. One batch is in memory at a time, and a client that goes away ends the work.
 * A failure after the first batch ends the connection, so that no reader takes a part for the whole.
 */
export async function sendReport<Row>(
  reply: FastifyReply,
  report: FoundReport<Row>,
  { format, from, to, logger }: Sending,
): Promise<FastifyReply> {
  if (format !== null && report.total === 0) throw new AppError('no_data');
  const writer = reportWriter(format ?? 'json', report);
  const pieces = piecesOf(report, writer);
  // A failure here still has an answer of its own.
  const first = await pieces.next();
  async function* bytes(): AsyncGenerator<Buffer> {
    if (first.done !== true) yield Buffer.from(first.value);
    try {
      for await (const piece of pieces) yield Buffer.from(piece);
    } catch (failure) {
      logger.error({ err: failure }, 'A report broke off');
      throw failure;
    }
  }
  if (format !== null) {
    reply.header('content-disposition', `attachment; filename="${report.name}_${from}_${to}.${format}"`);
  }
  return reply.header('content-type', writer.mediaType).send(Readable.from(bytes(), { objectMode: false }));
}

async function* piecesOf<Row>(
  { batches }: FoundReport<Row>,
  { head, between, foot, rows }: ReportWriter<Row>,
): AsyncGenerator<string> {
  let before = head;
  for await (const batch of batches) {
    yield before + rows(batch);
    before = between;
  }
  yield before === head ? head + foot : foot;
}

/** A report in one format, piece by piece: head, then batches with `between` between them, then foot. */
export interface ReportWriter<Row> {
  /** For `content-type`. */
  mediaType: string;
  head: string;
  between: string;
  foot: string;
  rows(batch: readonly Row[]): string;
}

/** The description of a report: the envelope's message, and its columns. */
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

/** The line of the column names (RFC 4180 §2.3). */
function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ name }) => quotedCell(name)).join(',')}\r\n`;
}

/**
 * One row as a line of CSV (RFC 4180 §2). Text that starts a formula is made inert; numbers stay as they are. Written out
 * here because it is most of the work of an export, and csv-stringify takes about five times as long.
 */
function csvLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  let line = '';
  let separator = '';
  for (const { kind, text } of columns) {
    const value = text(row);
    line += separator + (kind === 'text' ? quotedCell(inertCell(value)) : value);
    separator = ',';
  }
  return `${line}\r\n`;
}
