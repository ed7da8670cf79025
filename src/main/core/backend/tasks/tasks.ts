import { z } from 'zod';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import {
  type TaskFile,
  type TaskRow,
  taskStates,
  runOutcomes,
  type BackendStore,
  type TaskRunRow,
} from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { type WritePreparer, type WriteKind, hashOf } from '../operations/write-kind.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import {
  type RemotePrincipal,
  type RemoteTool,
  defineTool,
  paginationOf,
  textIn,
} from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { maxTimerMs, definitionOf, definitionOutput } from './definition.ts';
import { taskWrite } from './prepare-task.ts';
import { claimFirstDue, finishReport, type ReportMaker } from './run-task.ts';
import { settle, currentTaskOf, withoutChange, waitingChangeOf, waitingChangeSchema } from './task-state.ts';

/** Scheduled tasks of the service (contract §4.3), limited to the kinds that the contract allows. */
export interface Tasks extends AsyncDisposable {
  kinds: readonly WriteKind[];
  tools: readonly RemoteTool[];
  /** Starts the timer. Due times that passed while the service was stopped are run once. */
  start(operations: WritePreparer): void;
  /** Fails with `object_not_found`. */
  readRun(uid: number, runId: string): TaskFile;
}

export function createTasks(service: BackendService, parts: { reports: PublisherReports }): Tasks {
  const maker = { service, reports: parts.reports };
  const scheduler = createTaskScheduler(maker);
  return {
    kinds: [taskWrite(maker, scheduler.wake), taskCancelWrite(service)],
    tools: [listTasksTool(service)],
    start: (operations) => scheduler.start(operations),
    readRun(uid, runId) {
      const file = service.store.tasks.read.file(uid, runId);
      if (file === null) throw new AppError('object_not_found');
      return file;
    },
    dispose: () => scheduler.dispose(),
  };
}

/** Waits at most a minute at a time, because machines sleep and clocks can be set. */
function createTaskScheduler(maker: ReportMaker) {
  const { store, clock, logger } = maker.service;
  let operations: WritePreparer | null = null;
  let cancelTimer = (): void => {};
  let isMakingReport = false;
  const isStopped = (): boolean => operations === null;

  const scheduleAfter = (delayMs: number): void => {
    cancelTimer();
    if (!isStopped()) cancelTimer = clock.after(delayMs, runDueTasks);
  };
  const scheduleNext = (): void => {
    const wakeMs = store.tasks.read.nextWakeMs();
    if (wakeMs === null) cancelTimer();
    else scheduleAfter(Math.min(Math.max(0, wakeMs - clock.nowMs()), maxTimerMs));
  };

  function runDueTasks(): void {
    if (operations === null) return;
    try {
      settleAll();
      const hasClaimed = claimFirstDue({ ...maker, operations });
      makeNextReport();
      if (hasClaimed) scheduleAfter(0);
      else scheduleNext();
    } catch (failure) {
      logger.error({ failure }, 'Due tasks could not be looked after');
      scheduleAfter(maxTimerMs);
    }
  }

  function settleAll(): void {
    const nowMs = clock.nowMs();
    for (const task of store.tasks.read.waiting()) store.transaction(() => settle(store, task, nowMs));
  }

  function makeNextReport(): void {
    if (isMakingReport || isStopped()) return;
    const run = store.tasks.read.firstUnfinished();
    if (run === null) return;
    isMakingReport = true;
    const finishReportRun = (delayMs: number): void => {
      isMakingReport = false;
      scheduleAfter(delayMs);
    };
    finishReport(maker, run, isStopped).then(
      () => finishReportRun(0),
      (failure: unknown) => {
        if (!isStopped()) logger.error({ failure }, 'The outcome of a report could not be kept');
        finishReportRun(maxTimerMs);
      },
    );
  }

  return {
    start(given: WritePreparer): void {
      operations = given;
      runDueTasks();
    },
    wake(): void {
      if (!isStopped()) scheduleNext();
    },
    async dispose(): Promise<void> {
      operations = null;
      cancelTimer();
    },
  };
}

const cancelInput = z.strictObject({ taskId: z.string().min(1).max(100) });

function taskCancelWrite(service: BackendService): WriteKind {
  const { store, clock } = service;
  const findOwned = (principal: RemotePrincipal, payload: JsonObject): TaskRow | null => {
    const task = store.tasks.read.task(textIn(payload, 'taskId'));
    if (task?.uid !== principal.member.uid) return null;
    return currentTaskOf(store, task, clock.nowMs()).task;
  };
  const requireRunning = (principal: RemotePrincipal, payload: JsonObject): TaskRow => {
    const task = findOwned(principal, payload);
    if (task === null) throw new AppError('object_not_found');
    if (task.state === 'cancelled' || task.state === 'ended') {
      throw new AppError('operation_refused', { message: `The task is ${task.state} already.` });
    }
    return task;
  };
  return {
    name: 'task_cancel',
    tool: {
      name: 'svc_prepare_task_cancel',
      title: 'Prepare the end of a scheduled task',
      description: 'Prepares the end of a task, with the approval that may wait for it.',
      input: cancelInput,
      payload: cancelInput,
    },
    scopes: ['offline_access'],
    modules: ['tasks'],
    prepare(principal, args) {
      const { taskId } = cancelInput.parse(args);
      const task = requireRunning(principal, { taskId });
      const dueAt = task.nextDueAtMs === null ? null : new Date(task.nextDueAtMs).toISOString();
      return {
        target: `task:${taskId}`,
        payload: { taskId },
        diff: [
          { field: 'state', from: task.state, to: 'cancelled' },
          { field: 'nextDueAt', from: dueAt, to: null },
        ],
        warnings: task.approval === null ? [] : ['The change awaiting approval is dropped.'],
        revision: revisionOf(task),
      };
    },
    revision(principal, payload) {
      const task = findOwned(principal, payload);
      return task === null ? null : revisionOf(task);
    },
    apply(principal, payload) {
      cancel(service, requireRunning(principal, payload));
    },
    verify(principal, payload) {
      const task = findOwned(principal, payload);
      const data = { task: task === null ? null : { id: task.id, state: task.state } };
      return { stored: task?.state === 'cancelled' ? 'all' : 'none', data };
    },
  };
}

function revisionOf({ id, definition, state }: TaskRow): string {
  return hashOf({ id, definition, isOver: state === 'cancelled' || state === 'ended' });
}

function cancel({ store, clock }: BackendService, task: TaskRow): void {
  const { run } = settle(store, task, clock.nowMs());
  const waiting = waitingChangeOf(task);
  if (waiting !== null && run !== null) {
    store.operations.useApproval(waiting.id);
    store.tasks.write.setRun({ ...run, outcome: 'cancelled' });
  }
  store.tasks.write.setTask({ ...withoutChange(task), state: 'cancelled', nextDueAtMs: null });
}

const maxListed = 100;

const listInput = z.strictObject({
  state: z.enum(taskStates).optional().describe('Only tasks in this state.'),
  offset: z.int().min(0).max(100_000).default(0),
  limit: z.int().min(1).max(maxListed).default(20),
});

function listTasksTool({ store, clock }: BackendService): RemoteTool {
  return defineTool({
    name: 'svc_list_tasks',
    title: 'List scheduled tasks',
    description:
      'Lists the scheduled tasks of the account, newest first: when each is due, what its last run brought, and the approval of a change that is due now.',
    kind: 'read',
    scopes: ['svc:read'],
    modules: ['tasks'],
    input: listInput,
    output: z.array(taskViewSchema),
    run(principal, { state, offset, limit }) {
      const { uid } = principal.member;
      const nowMs = clock.nowMs();
      const all = store.tasks.read
        .list(uid)
        .map((task) => taskView(store, task, { principal, nowMs }))
        .filter((task) => state === undefined || task.state === state);
      const data = all.slice(offset, offset + limit);
      return {
        data: data as unknown as JsonValue,
        sourcePagination: paginationOf({ offset, limit, total: all.length, items: data.length }),
      };
    },
  });
}

const time = z.string().describe('ISO 8601, UTC.');

const runSchema = z.strictObject({
  dueAt: time,
  ranAt: time,
  outcome: z.enum(runOutcomes),
  missed: z.int().describe('How many due times before this one passed while the service was down.'),
  reason: z.string().optional().describe('An error code.'),
  rows: z.int().optional(),
  bytes: z.int().optional(),
  uri: z.string().optional().describe('The resource that holds the report.'),
});

const taskViewSchema = z.strictObject({
  ...definitionOutput,
  id: z.string(),
  name: z.string().nullable(),
  state: z.enum(taskStates),
  reason: z.string().optional().describe('Why it is suspended: an error code.'),
  createdAt: time,
  nextDueAt: time.nullable(),
  lastRun: runSchema.nullable(),
  approval: waitingChangeSchema
    .nullable()
    .describe('The change that is due; commit it with svc_commit after a person has agreed.'),
});

type TaskView = z.infer<typeof taskViewSchema>;

function runUri(runId: string): string {
  return `svc://task-runs/${runId}`;
}

/** Includes an approval only for the grant of its task. */
function taskView(
  store: BackendStore,
  found: TaskRow,
  viewer: { principal: RemotePrincipal; nowMs: number },
): TaskView {
  const { principal, nowMs } = viewer;
  const { task, run } = currentTaskOf(store, found, nowMs);
  const { name = null, kind, schedule, parameters } = definitionOf(task);
  const isOwnGrant = task.clientId === principal.clientId && task.grantId === principal.grantId;
  return {
    id: task.id,
    name,
    kind,
    schedule,
    parameters,
    state: task.state,
    ...(task.reason === null ? {} : { reason: task.reason }),
    createdAt: isoTime(task.createdAtMs),
    nextDueAt: task.nextDueAtMs === null ? null : isoTime(task.nextDueAtMs),
    lastRun: run === null ? null : runView(run),
    approval: isOwnGrant ? waitingChangeOf(task) : null,
  };
}

function runView(run: TaskRunRow): z.infer<typeof runSchema> {
  const { id, outcome, missed, reason, rowCount, byteCount } = run;
  return {
    dueAt: isoTime(run.dueAtMs),
    ranAt: isoTime(run.ranAtMs),
    outcome,
    missed,
    ...(reason === null ? {} : { reason }),
    ...(rowCount === null ? {} : { rows: rowCount }),
    ...(byteCount === null ? {} : { bytes: byteCount }),
    ...(outcome === 'stored' ? { uri: runUri(id) } : {}),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
