import type { TaskFile } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { searchColumns, xmlColumns } from '../../publisher/columns.ts';
import { reportWriter } from '../../publisher/send-report.ts';
import type { ReportShape } from '../../publisher/send-report.ts';
import type { DayRange, PublisherReports } from '../../publisher/reports.ts';
import type { ReportTask } from '../definition/definition.ts';
import { mostFileBytes } from '../limits.ts';

const msPerDay = 86_400_000;

/** The whole service days before the day (UTC) on which a report is due. */
function reportDays(dueAtMs: number, lastDays: number): DayRange {
  const day = (before: number): string => new Date(dueAtMs - before * msPerDay).toISOString().slice(0, 10);
  return { from: day(lastDays), to: day(1) };
}

/** A report as a file. */
export interface ReportFile extends TaskFile {
  rows: number;
  bytes: number;
}

/**
 * Makes the file of a report, as the export of the publisher endpoints would be; null when it has no rows. Fails with
 * `payload_too_large`, or as `PublisherReports`.
 */
export async function reportText(
  reports: PublisherReports,
  asked: { uid: number; dueAtMs: number; parameters: ReportTask['parameters'] },
): Promise<ReportFile | null> {
  const { uid, dueAtMs, parameters } = asked;
  const { format, lastDays } = parameters;
  const days = reportDays(dueAtMs, lastDays);
  if (parameters.report === 'xml') {
    const { tid, groupBy } = parameters;
    const rows = await reports.xml({ uid, tid, groupBy, ...days });
    const shape = { label: `XML statistics by ${groupBy}`, columns: xmlColumns(groupBy) };
    return fileOf(format, shape, [rows]);
  }
  const { batches } = await reports.searchAll({ uid, sid: parameters.sid ?? null, ...days });
  return fileOf(format, { label: 'Search report', columns: searchColumns }, batches);
}

async function fileOf<Row>(
  format: ReportTask['parameters']['format'],
  shape: ReportShape<Row>,
  batches: Iterable<Row[]> | AsyncIterable<Row[]>,
): Promise<ReportFile | null> {
  const writer = reportWriter(format, shape);
  let text = writer.head;
  let rows = 0;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    text += (rows === 0 ? '' : writer.between) + writer.rows(batch);
    rows += batch.length;
    if (Buffer.byteLength(text) > mostFileBytes) throw new AppError('payload_too_large');
  }
  if (rows === 0) return null;
  const content = text + writer.foot;
  return { contentType: writer.mediaType, content, rows, bytes: Buffer.byteLength(content) };
}
