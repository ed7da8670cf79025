import type { BackendStore, RunOutcome, TaskRow, TaskRunRow } from '#core/store/backend/index.ts';
import { waitingChangeOf } from './waiting-change.ts';

/** A task and its last run. */
export interface Standing {
  task: TaskRow;
  run: TaskRunRow | null;
}

/**
 * How a task stands now: a change that was committed no longer waits, nor does one whose approval has expired. Nothing
 * tells a task of either, so whoever looks finds it out. Changes nothing.
 */
export function standingOf({ tasks, operations }: BackendStore, task: TaskRow, nowMs: number): Standing {
  const run = tasks.read.lastRun(task.id);
  const waiting = waitingChangeOf(task);
  if (waiting === null) return { task, run };
  const approval = operations.approval(waiting.id);
  if (approval !== null && !approval.used && nowMs < approval.expiresAtMs) return { task, run };
  const outcome: RunOutcome = approval?.used === true ? 'committed' : 'expired';
  return { task: withoutChange(task), run: run === null ? null : { ...run, outcome } };
}

/** The same, and remembers it; call inside a transaction. */
export function settle(store: BackendStore, task: TaskRow, nowMs: number): Standing {
  const standing = standingOf(store, task, nowMs);
  if (standing.task === task) return standing;
  store.tasks.write.setTask(standing.task);
  if (standing.run !== null) store.tasks.write.setRun(standing.run);
  return standing;
}

/** The task once nothing waits: until its next due time, or for good. */
export function withoutChange(task: TaskRow): TaskRow {
  const state = task.nextDueAtMs === null ? 'ended' : 'active';
  return { ...task, state, approval: null, approvalExpiresAtMs: null };
}
