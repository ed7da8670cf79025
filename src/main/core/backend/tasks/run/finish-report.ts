import type { TaskRow, TaskRunRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PublisherReports } from '../../publisher/reports.ts';
import { definitionOf } from '../definition/stored-definition.ts';
import type { TaskTargets } from '../definition/targets.ts';
import { keptRuns } from '../limits.ts';
import { isLoss, principalOf } from '../state/principal.ts';
import { withoutChange } from '../state/standing.ts';
import { suspended } from './claim.ts';
import { reportText } from './report-text.ts';
import type { ReportFile } from './report-text.ts';

/** How the making of a report ended. */
type Ending = { kind: 'made'; file: ReportFile | null } | { kind: 'failed'; failure: AppError };

/** What making reports needs. */
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
  write.keepNewestRuns(task.id, keptRuns);
}
