import { cancelTaskPayloadSchema, reportTaskPayloadSchema, type ReportTask } from '#shared/contract/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { commitTool, isCommitMember, type Call } from './call-arguments.ts';
import type { TaskOfCall } from './stored-call.ts';

/** Effect of a commit on the tasks of an account, read out of its exact payload. */
export type TaskChange = { act: 'create'; task: ReportTask } | { act: 'cancel' };

/**
 * The change that a commit of the app's own makes to the account's tasks; null where the payload has anything in it that is not known,
 * or is of another task.
 */
export function taskChange({ name, args }: Call, task: TaskOfCall | null): TaskChange | null {
  if (task === null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return null;
  if (task.act === 'create') {
    const made = reportTaskPayloadSchema.safeParse(args['payload']);
    if (!made.success || made.data.id !== task.id) return null;
    const { id: _id, ...definition } = made.data;
    return { act: 'create', task: definition };
  }
  const ended = cancelTaskPayloadSchema.safeParse(args['payload']);
  const isIt = task.act === 'cancel' && ended.success && ended.data.taskId === task.id;
  return isIt ? { act: 'cancel' } : null;
}

/** The task that a commit creates, ends or executes, for any proposer; null for any other call. */
export function taskNamedBy(
  { name, args }: Call,
  task: TaskOfCall | null,
): Pick<TaskOfCall, 'id' | 'act'> | null {
  if (task !== null) return { id: task.id, act: task.act };
  const { payload } = args;
  if (name !== commitTool || payload === undefined || !isJsonObject(payload)) return null;
  const { id, kind, schedule, taskId } = payload;
  if (typeof id === 'string' && typeof kind === 'string' && schedule !== undefined)
    return { id, act: 'create' };
  return typeof taskId === 'string' && Object.keys(payload).length === 1
    ? { id: taskId, act: 'cancel' }
    : null;
}
