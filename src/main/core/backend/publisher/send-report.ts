import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from '#core/platform/logger.ts';
import type { ExportFormat } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { reportWriter } from './export/report-writer.ts';
import type { ReportShape, ReportWriter } from './export/report-writer.ts';
import type { DayRange } from './reports.ts';

/** A report that is ready to be sent. */
export interface FoundReport<Row> extends ReportShape<Row> {
  /** How its file is called, without dates: letters and dashes only. */
  name: string;
  total: number;
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** As what a report is sent. */
export interface Sending extends DayRange {
  /** Null for the plain answer. */
  format: ExportFormat | null;
  logger: Logger;
}

/**
 * Sends a report as fast as it is read (contract §4.2): for an export as an attachment, and then without rows as
 * `no_data`; otherwise as the plain answer. One batch is in memory at a time, and a client that goes away ends the work.
 * What fails after the first batch ends the connection, so that nobody takes a part for the whole.
 */
export async function sendReport<Row>(
  reply: FastifyReply,
  report: FoundReport<Row>,
  { format, from, to, logger }: Sending,
): Promise<FastifyReply> {
  if (format !== null && report.total === 0) throw new AppError('no_data');
  const writer = reportWriter(format ?? 'json', report);
  const pieces = piecesOf(report, writer);
  // What fails here still has an answer of its own.
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
