import type { TaskRow, TaskRunRow, TaskFile } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PublisherReports, DayRange } from '../publisher/reports.ts';
import { searchColumns, xmlColumns, reportWriter, type ReportShape } from '../publisher/send-report.ts';
import {
  definitionOf,
  type ReportTask,
  type TaskTargets,
  maxStoredRuns,
  maxFileBytes,
} from './definition.ts';
import { isLoss, principalOf, withoutChange, suspended } from './task-state.ts';

type Ending = { kind: 'made'; file: ReportFile | null } | { kind: 'failed'; failure: AppError };

/** The parts that making reports needs. */
export interface ReportMaker extends TaskTargets {
  reports: PublisherReports;
}

/**
 * Makes the report of a run that was claimed, and remembers how it ended; a run that an earlier process left is simply made
 * again. `isStopped` is asked before anything is written. Fails with what may pass, such as `storage_failed`, and then the
 * run is still to be made.
 */
export async function finishReport(
  maker: ReportMaker,
  run: TaskRunRow,
  isStopped: () => boolean,
): Promise<void> {
  const { store } = maker.service;
  const task = store.tasks.read.task(run.taskId);
  if (task === null) return;
  const ending = await makeReport(maker, task, run);
  if (isStopped()) return;
  store.transaction(() => {
    const taskNow = store.tasks.read.task(run.taskId);
    if (taskNow !== null) remember(maker, { task: taskNow, run, ending });
  });
}

async function makeReport(maker: ReportMaker, task: TaskRow, run: TaskRunRow): Promise<Ending> {
  const definition = definitionOf(task);
  if (definition.kind !== 'report_export')
    throw new Error(`A task of kind ${definition.kind} makes no report`);
  const { parameters } = definition;
  try {
    principalOf(maker, task, definition);
    const asked = { uid: task.uid, dueAtMs: run.dueAtMs, parameters };
    return { kind: 'made', file: await reportText(maker.reports, asked) };
  } catch (failure) {
    if (failure instanceof AppError && failure.status < 500) return { kind: 'failed', failure };
    // A disk that is full now, or an end of the process: the report is made later.
    if (failure instanceof AppError) throw failure;
    maker.service.logger.error({ failure, taskId: task.id }, 'A report could not be made');
    return { kind: 'failed', failure: new AppError('internal') };
  }
}

function remember({ service }: ReportMaker, ended: { task: TaskRow; run: TaskRunRow; ending: Ending }): void {
  const { task, run, ending } = ended;
  const { write } = service.store.tasks;
  const isOver = task.state === 'cancelled' || task.state === 'suspended';
  if (!isOver) write.setTask(withoutChange(task));
  if (ending.kind === 'failed') {
    const { failure } = ending;
    if (isLoss(failure) && !isOver) write.setTask(suspended(task, failure));
    write.setRun({ ...run, outcome: isLoss(failure) ? 'suspended' : 'failed', reason: failure.code });
    return;
  }
  if (ending.file === null) {
    write.setRun({ ...run, outcome: 'no_data', rowCount: 0 });
    return;
  }
  const { rows, bytes, ...file } = ending.file;
  write.setRun({ ...run, outcome: 'stored', rowCount: rows, byteCount: bytes });
  write.addFile(run.id, file);
  write.keepNewestRuns(task.id, maxStoredRuns);
}

const msPerDay = 86_400_000;

/** The whole service days before the day (UTC) on which a report is due. */
function reportDays(dueAtMs: number, lastDays: number): DayRange {
  const day = (before: number): string => new Date(dueAtMs - before * msPerDay).toISOString().slice(0, 10);
  return { from: day(lastDays), to: day(1) };
}

interface ReportFile extends TaskFile {
  rows: number;
  bytes: number;
}

/**
 * Makes the file of a report, as the export of the publisher endpoints would be; null when it has no rows. Fails with
 * `payload_too_large`, or as `PublisherReports`.
 */
async function reportText(
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
    if (Buffer.byteLength(text) > maxFileBytes) throw new AppError('payload_too_large');
  }
  if (rows === 0) return null;
  const content = text + writer.foot;
  return { contentType: writer.mediaType, content, rows, bytes: Buffer.byteLength(content) };
}
