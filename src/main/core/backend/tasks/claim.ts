import type { RunOutcome, TaskRow, TaskRunRow, BackendReader } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { statusNames } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import type { PreparesWrites } from '../operations/prepare.ts';
import { loadOwned } from '../member/stored-campaign.ts';
import {
  definitionOf,
  type ChangeTask,
  type TaskTargets,
  maxStoredRuns,
  maxApprovalMs,
} from './definition.ts';
import { latestDue } from './schedule.ts';
import { isLoss, principalOf, settle, withoutChange, suspended } from './task-state.ts';

interface TaskRunner extends TaskTargets {
  operations: PreparesWrites;
}

/** The result of a due time: the run's outcome and the task after it. */
interface Claimed {
  outcome: RunOutcome;
  reason: string | null;
  task: TaskRow;
}

/**
 * Takes the task that was due first: its latest due time becomes a run, the ones before it are counted as missed, and the
 * task moves on, all in one transaction. A change gets its approval in the same one; a report is left to be made. False
 * when nothing is due. Fails with `storage_failed`, and then nothing has happened.
 */
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

function claim(runner: TaskRunner, task: TaskRow, nowMs: number): Claimed {
  const definition = definitionOf(task);
  try {
    const principal = principalOf(runner, task, definition);
    // Until its report is made, a task has not ended.
    if (definition.kind === 'report_export') {
      return { outcome: 'running', reason: null, task: { ...task, state: 'active' } };
    }
    return claimChange(runner, { task, definition, principal, nowMs });
  } catch (failure) {
    if (failure instanceof AppError && isLoss(failure))
      return { outcome: 'suspended', reason: failure.code, task: suspended(task, failure) };
    throw failure;
  }
}

function claimChange(
  { service, operations }: TaskRunner,
  due: { task: TaskRow; definition: ChangeTask; principal: RemotePrincipal; nowMs: number },
): Claimed {
  const { task, definition, principal, nowMs } = due;
  const { store } = service;
  const { kind, args, isDone } = dueChange(store.read, task.uid, definition);
  const over = withoutChange(task);
  if (isDone) return { outcome: 'nothing_to_do', reason: null, task: over };
  const untilNextMs = task.nextDueAtMs === null ? maxApprovalMs : task.nextDueAtMs - nowMs;
  const validForMs = Math.min(untilNextMs, maxApprovalMs);
  try {
    const prepared = store.transaction(() => operations.prepare(principal, { kind, args, validForMs }));
    const { approval, ...rest } = prepared as { approval: JsonObject };
    const waiting = JSON.stringify({ ...approval, kind, ...rest });
    const approvalExpiresAtMs = nowMs + validForMs;
    return {
      outcome: 'waiting',
      reason: null,
      task: { ...task, state: 'due', approval: waiting, approvalExpiresAtMs },
    };
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.status >= 500 || isLoss(failure)) throw failure;
    if (failure.code === 'nothing_to_change') return { outcome: 'nothing_to_do', reason: null, task: over };
    return { outcome: 'refused', reason: failure.code, task: over };
  }
}

/** A change as `Operations` prepares it. */
interface DueChange {
  kind: string;
  args: JsonObject;
  /** True if nothing would change. */
  isDone: boolean;
}

/** Returns the change that a task would make now. Fails with `campaign_not_found`. */
function dueChange(read: BackendReader, uid: number, task: ChangeTask): DueChange {
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
