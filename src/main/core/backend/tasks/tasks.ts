import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import type { TaskFile, TaskRow } from '#core/store/backend/index.ts';
import type { RemoteTool, RemotePrincipal } from '../remote-call/tool.ts';
import type { PreparesWrites } from '../operations/prepare.ts';
import { type WriteKind, hashOf } from '../operations/write-kind.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';
import { listTasksTool } from './list-tasks.ts';
import { taskWrite } from './prepare-task.ts';
import { longestPauseMs } from './definition.ts';
import { settle, currentTaskOf, withoutChange, waitingChangeOf } from './task-state.ts';
import { claimFirstDue, finishReport, type ReportMaker } from './run-task.ts';
import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { textIn } from '../remote-call/arguments.ts';

/** Scheduled tasks of one tenant (contract §4.3: constrained tasks only). */
export interface Tasks extends AsyncDisposable {
  /** `task` and `task_cancel`. */
  kinds: readonly WriteKind[];
  /** `svc_list_tasks`. */
  tools: readonly RemoteTool[];
  /** Begins to watch the clock: what came due meanwhile runs once, the rest is reported as missed. Due writes get approvals. */
  start(operations: PreparesWrites): void;
  /** The report that a run of this account's tasks made. Fails with `object_not_found`. */
  readRun(uid: number, runId: string): TaskFile;
}

/** Makes the scheduler; it does nothing before `start`. */
export function createTasks(service: BackendService, parts: { reports: PublisherReports }): Tasks {
  const maker = { service, reports: parts.reports };
  const watch = createTaskWatch(maker);
  return {
    kinds: [taskWrite(maker, watch.wake), taskCancelWrite(service)],
    tools: [listTasksTool(service)],
    start: (operations) => watch.start(operations),
    readRun(uid, runId) {
      const file = service.store.tasks.read.file(uid, runId);
      if (file === null) throw new AppError('object_not_found');
      return file;
    },
    dispose: () => watch.dispose(),
  };
}

/** Runs due tasks. The creator disposes it. */
interface TaskWatch extends AsyncDisposable {
  start(operations: PreparesWrites): void;
  /** Something may be due earlier than it was. */
  wake(): void;
}

/**
 * Makes the watch; it does nothing before `start`. One timer goes to the next due time, and never further than a minute, so
 * that a machine that slept or whose time was set is noticed. One due time is taken per turn, so that others get theirs.
 */
function createTaskWatch(maker: ReportMaker): TaskWatch {
  const { store, clock, logger } = maker.service;
  let operations: PreparesWrites | null = null;
  let cancelTimer = (): void => {};
  let isMaking = false;
  const isStopped = (): boolean => operations === null;

  const lookAfter = (delayMs: number): void => {
    cancelTimer();
    if (!isStopped()) cancelTimer = clock.after(delayMs, look);
  };
  const lookInTime = (): void => {
    const wakeMs = store.tasks.read.nextWakeMs();
    if (wakeMs === null) cancelTimer();
    else lookAfter(Math.min(Math.max(0, wakeMs - clock.nowMs()), longestPauseMs));
  };

  function look(): void {
    if (operations === null) return;
    try {
      settleAll();
      const hasClaimed = claimFirstDue({ ...maker, operations });
      makeNextReport();
      if (hasClaimed) lookAfter(0);
      else lookInTime();
    } catch (failure) {
      logger.error({ failure }, 'Due tasks could not be looked after');
      lookAfter(longestPauseMs);
    }
  }

  function settleAll(): void {
    const nowMs = clock.nowMs();
    for (const task of store.tasks.read.waiting()) store.transaction(() => settle(store, task, nowMs));
  }

  /** One at a time; what an earlier process began comes first. */
  function makeNextReport(): void {
    if (isMaking || isStopped()) return;
    const run = store.tasks.read.firstUnfinished();
    if (run === null) return;
    isMaking = true;
    const ended = (delayMs: number): void => {
      isMaking = false;
      lookAfter(delayMs);
    };
    finishReport(maker, run, isStopped).then(
      () => ended(0),
      (failure: unknown) => {
        if (!isStopped()) logger.error({ failure }, 'The outcome of a report could not be kept');
        ended(longestPauseMs);
      },
    );
  }

  return {
    start(given) {
      operations = given;
      look();
    },
    wake() {
      if (!isStopped()) lookInTime();
    },
    async dispose() {
      operations = null;
      cancelTimer();
    },
  };
}

const input = z.strictObject({ taskId: z.string().min(1).max(100) });

function taskCancelWrite(service: BackendService): WriteKind {
  const { store, clock } = service;
  const owned = (principal: RemotePrincipal, payload: JsonObject): TaskRow | null => {
    const task = store.tasks.read.task(textIn(payload, 'taskId'));
    if (task?.uid !== principal.member.uid) return null;
    return currentTaskOf(store, task, clock.nowMs()).task;
  };
  const running = (principal: RemotePrincipal, payload: JsonObject): TaskRow => {
    const task = owned(principal, payload);
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
      input,
      payload: input,
    },
    scopes: ['offline_access'],
    modules: ['tasks'],
    prepare(principal, args) {
      const { taskId } = input.parse(args);
      const task = running(principal, { taskId });
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
      const task = owned(principal, payload);
      return task === null ? null : revisionOf(task);
    },
    apply(principal, payload) {
      cancel(service, running(principal, payload));
    },
    verify(principal, payload) {
      const task = owned(principal, payload);
      const data = { task: task === null ? null : { id: task.id, state: task.state } };
      return { stored: task?.state === 'cancelled' ? 'all' : 'none', data };
    },
  };
}

/** A task that runs meanwhile is still the same task. */
function revisionOf({ id, definition, state }: TaskRow): string {
  return hashOf({ id, definition, isOver: state === 'cancelled' || state === 'ended' });
}

/** Ends the task and its pending change: an open approval can no longer be used. */
function cancel({ store, clock }: BackendService, task: TaskRow): void {
  const { run } = settle(store, task, clock.nowMs());
  const waiting = waitingChangeOf(task);
  if (waiting !== null && run !== null) {
    store.operations.useApproval(waiting.id);
    store.tasks.write.setRun({ ...run, outcome: 'cancelled' });
  }
  store.tasks.write.setTask({ ...withoutChange(task), state: 'cancelled', nextDueAtMs: null });
}
