import type { TaskRow, TaskRunRow } from './types.ts';

/** A row of `task`. */
export interface StoredTask {
  id: string;
  uid: number;
  client_id: string;
  grant_id: string | null;
  scopes: string;
  definition: string;
  state: TaskRow['state'];
  reason: string | null;
  created_at_ms: number;
  next_due_at_ms: number | null;
  approval: string | null;
  approval_expires_at_ms: number | null;
}

/** A row of `task_run`. */
export interface StoredRun {
  id: string;
  task_id: string;
  due_at_ms: number;
  ran_at_ms: number;
  missed: number;
  outcome: TaskRunRow['outcome'];
  reason: string | null;
  row_count: number | null;
  byte_count: number | null;
}

export function taskOf(row: StoredTask): TaskRow {
  const { id, uid, scopes, definition, state, reason, approval } = row;
  return {
    id,
    uid,
    clientId: row.client_id,
    grantId: row.grant_id,
    scopes,
    definition,
    state,
    reason,
    createdAtMs: row.created_at_ms,
    nextDueAtMs: row.next_due_at_ms,
    approval,
    approvalExpiresAtMs: row.approval_expires_at_ms,
  };
}

export function storedTask(task: TaskRow): StoredTask {
  const { id, uid, scopes, definition, state, reason, approval } = task;
  return {
    id,
    uid,
    client_id: task.clientId,
    grant_id: task.grantId,
    scopes,
    definition,
    state,
    reason,
    created_at_ms: task.createdAtMs,
    next_due_at_ms: task.nextDueAtMs,
    approval,
    approval_expires_at_ms: task.approvalExpiresAtMs,
  };
}

export function runOf(row: StoredRun): TaskRunRow {
  const { id, missed, outcome, reason } = row;
  return {
    id,
    taskId: row.task_id,
    dueAtMs: row.due_at_ms,
    ranAtMs: row.ran_at_ms,
    missed,
    outcome,
    reason,
    rowCount: row.row_count,
    byteCount: row.byte_count,
  };
}

export function storedRun(run: TaskRunRow): StoredRun {
  const { id, missed, outcome, reason } = run;
  return {
    id,
    task_id: run.taskId,
    due_at_ms: run.dueAtMs,
    ran_at_ms: run.ranAtMs,
    missed,
    outcome,
    reason,
    row_count: run.rowCount,
    byte_count: run.byteCount,
  };
}
