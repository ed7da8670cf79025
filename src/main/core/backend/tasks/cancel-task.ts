import { z } from 'zod';
import type { TaskRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import { hashOf } from '../operations/write-kind.ts';
import type { WriteKind } from '../operations/write-kind.ts';
import type { BackendService } from '../service.ts';
import { settle, currentTaskOf, withoutChange, waitingChangeOf } from './task-state.ts';
import { textIn } from '../remote-call/arguments.ts';

const input = z.strictObject({ taskId: z.string().min(1).max(100) });

/** The write that ends a task of any of the account's clients. */
export function taskCancelWrite(service: BackendService): WriteKind {
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
