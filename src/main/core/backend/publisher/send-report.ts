import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ExportFormat } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { reportWriter } from './export/report-writer.ts';
import type { ReportShape } from './export/report-writer.ts';
import type { DayRange } from './reports.ts';

/** A report that is ready to be sent. */
export interface FoundReport<Row> extends ReportShape<Row> {
  /** How its file is called, without dates: letters and dashes only. */
  name: string;
  total: number;
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/**
 * Sends a report as fast as it is read (contract §4.2): for an export as an attachment, and then without rows as
 * `no_data`; otherwise as the plain answer. One batch is in memory at a time, and a client that goes away ends the work.
 */
export function sendReport<Row>(
  reply: FastifyReply,
  report: FoundReport<Row>,
  { format, from, to }: DayRange & { format: ExportFormat | null },
): FastifyReply {
  if (format !== null && report.total === 0) throw new AppError('no_data');
  const { mediaType, head, between, foot, rows } = reportWriter(format ?? 'json', report);
  async function* text(): AsyncGenerator<Buffer> {
    let before = head;
    for await (const batch of report.batches) {
      yield Buffer.from(before + rows(batch));
      before = between;
    }
    yield Buffer.from((before === head ? head : '') + foot);
  }
  if (format !== null) {
    reply.header('content-disposition', `attachment; filename="${report.name}_${from}_${to}.${format}"`);
  }
  return reply.header('content-type', mediaType).send(Readable.from(text(), { objectMode: false }));
}
