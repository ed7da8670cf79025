import type { RunOutcome, TaskRow, TaskRunRow, BackendReader, TaskFile } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { statusNames } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import type { WritePreparer } from '../operations/write-kind.ts';
import { loadOwned } from '../member/campaign-rules.ts';
import {
  definitionOf,
  type ChangeTask,
  type TaskTargets,
  maxStoredRuns,
  maxApprovalMs,
  type ReportTask,
  maxFileBytes,
} from './definition.ts';
import { latestDue } from './schedule.ts';
import { isAccessLoss, principalOf, settle, withoutChange, suspendTask } from './task-state.ts';
import type { PublisherReports, DayRange } from '../publisher/reports.ts';
import { searchColumns, xmlColumns, reportWriter, type ReportShape } from '../publisher/send-report.ts';

interface TaskRunner extends TaskTargets {
  operations: WritePreparer;
}

interface ClaimResult {
  outcome: RunOutcome;
  reason: string | null;
  task: TaskRow;
}

export function claimFirstDue(runner: TaskRunner): boolean {
  const { store, clock, ids } = runner.service;
  return store.transaction(() => {
    const nowMs = clock.nowMs();
    const found = store.tasks.read.firstDue(nowMs);
    if (found === null || found.nextDueAtMs === null) return false;
    const settled = settle(store, found, nowMs).task;
    const { schedule } = definitionOf(found);
    const { dueMs, missed, nextMs } = latestDue(schedule, found.nextDueAtMs, nowMs);
    const claimed = claim(runner, { ...withoutChange(settled), nextDueAtMs: nextMs }, nowMs);
    const { task, outcome, reason } = claimed;
    const run: TaskRunRow = {
      id: ids.id(),
      taskId: task.id,
      dueAtMs: dueMs,
      ranAtMs: nowMs,
      missed,
      outcome,
      reason,
      rowCount: null,
      byteCount: null,
    };
    store.tasks.write.addRun(run);
    store.tasks.write.setTask(task);
    store.tasks.write.keepNewestRuns(task.id, maxStoredRuns);
    return true;
  });
}

function claim(runner: TaskRunner, task: TaskRow, nowMs: number): ClaimResult {
  const definition = definitionOf(task);
  try {
    const principal = principalOf(runner, task, definition);
    if (definition.kind === 'report_export') {
      return { outcome: 'running', reason: null, task: { ...task, state: 'active' } };
    }
    return claimChange(runner, { task, definition, principal, nowMs });
  } catch (failure) {
    if (failure instanceof AppError && isAccessLoss(failure))
      return { outcome: 'suspended', reason: failure.code, task: suspendTask(task, failure) };
    throw failure;
  }
}

function claimChange(
  { service, operations }: TaskRunner,
  due: { task: TaskRow; definition: ChangeTask; principal: RemotePrincipal; nowMs: number },
): ClaimResult {
  const { task, definition, principal, nowMs } = due;
  const { store } = service;
  const { kind, args, isDone } = readDueChange(store.read, task.uid, definition);
  const finishedTask = withoutChange(task);
  if (isDone) return { outcome: 'nothing_to_do', reason: null, task: finishedTask };
  const untilNextMs = task.nextDueAtMs === null ? maxApprovalMs : task.nextDueAtMs - nowMs;
  const validForMs = Math.min(untilNextMs, maxApprovalMs);
  try {
    const prepared = store.transaction(() => operations.prepare(principal, { kind, args, validForMs }));
    const { approval, ...rest } = prepared as { approval: JsonObject };
    const approvalJson = JSON.stringify({ ...approval, kind, ...rest });
    const approvalExpiresAtMs = nowMs + validForMs;
    return {
      outcome: 'waiting',
      reason: null,
      task: { ...task, state: 'due', approval: approvalJson, approvalExpiresAtMs },
    };
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.status >= 500 || isAccessLoss(failure)) throw failure;
    if (failure.code === 'nothing_to_change')
      return { outcome: 'nothing_to_do', reason: null, task: finishedTask };
    return { outcome: 'refused', reason: failure.code, task: finishedTask };
  }
}

interface DueChange {
  kind: string;
  args: JsonObject;
  isDone: boolean;
}

function readDueChange(read: BackendReader, uid: number, task: ChangeTask): DueChange {
  switch (task.kind) {
    case 'campaign_status': {
      const { cids, status } = task.parameters;
      const found = [...read.statuses(uid, cids).values()];
      const isDone = found.every((code) => statusNames[code].toLowerCase() === status);
      return { kind: 'campaign_status', args: { ids: cids, status }, isDone };
    }
    case 'campaign_bid': {
      const { cid, payout } = task.parameters;
      const isDone = loadOwned(read, uid, cid)['payout'] === payout;
      return { kind: 'campaign_update', args: { cid, changes: { payout } }, isDone };
    }
    default:
      return assertNever(task);
  }
}

type ReportResult = { kind: 'made'; file: ReportFile | null } | { kind: 'failed'; failure: AppError };

export interface ReportMaker extends TaskTargets {
  reports: PublisherReports;
}

/** Makes and stores the report unless `isStopped()`. Rejects on temporary failures; the caller then retries. */
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
    const currentTask = store.tasks.read.task(run.taskId);
    if (currentTask !== null) storeResult(maker, { task: currentTask, run, ending });
  });
}

async function makeReport(maker: ReportMaker, task: TaskRow, run: TaskRunRow): Promise<ReportResult> {
  const definition = definitionOf(task);
  if (definition.kind !== 'report_export')
    throw new Error(`A task of kind ${definition.kind} makes no report`);
  const { parameters } = definition;
  try {
    principalOf(maker, task, definition);
    const asked = { uid: task.uid, dueAtMs: run.dueAtMs, parameters };
    return { kind: 'made', file: await createReportFile(maker.reports, asked) };
  } catch (failure) {
    if (failure instanceof AppError && failure.status < 500) return { kind: 'failed', failure };
    if (failure instanceof AppError) throw failure;
    maker.service.logger.error({ failure, taskId: task.id }, 'A report could not be made');
    return { kind: 'failed', failure: new AppError('internal') };
  }
}

function storeResult(
  { service }: ReportMaker,
  ended: { task: TaskRow; run: TaskRunRow; ending: ReportResult },
): void {
  const { task, run, ending } = ended;
  const { write } = service.store.tasks;
  const hasEnded = task.state === 'cancelled' || task.state === 'suspended';
  if (!hasEnded) write.setTask(withoutChange(task));
  if (ending.kind === 'failed') {
    const { failure } = ending;
    if (isAccessLoss(failure) && !hasEnded) write.setTask(suspendTask(task, failure));
    write.setRun({ ...run, outcome: isAccessLoss(failure) ? 'suspended' : 'failed', reason: failure.code });
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

function reportDays(dueAtMs: number, lastDays: number): DayRange {
  const day = (before: number): string => new Date(dueAtMs - before * msPerDay).toISOString().slice(0, 10);
  return { from: day(lastDays), to: day(1) };
}

interface ReportFile extends TaskFile {
  rows: number;
  bytes: number;
}

async function createReportFile(
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
    return renderFile(format, shape, [rows]);
  }
  const { batches } = await reports.searchAll({ uid, sid: parameters.sid ?? null, ...days });
  return renderFile(format, { label: 'Search report', columns: searchColumns }, batches);
}

async function renderFile<Row>(
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
