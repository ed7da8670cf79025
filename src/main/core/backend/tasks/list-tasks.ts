import { z } from 'zod';
import {
  taskStates,
  runOutcomes,
  type BackendStore,
  type TaskRow,
  type TaskRunRow,
} from '#core/store/backend/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { defineTool, type RemoteTool, type RemotePrincipal } from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { definitionInput, definitionOf } from './definition.ts';
import { currentTaskOf, waitingChangeOf, waitingChangeSchema } from './task-state.ts';

const maxListed = 100;

const input = z.strictObject({
  state: z.enum(taskStates).optional().describe('Only tasks in this state.'),
  offset: z.int().min(0).max(100_000).default(0),
  limit: z.int().min(1).max(maxListed).default(20),
});

/** `svc_list_tasks`: the account's tasks, newest first, with the approval of what is due. */
export function listTasksTool({ store, clock }: BackendService): RemoteTool {
  return defineTool({
    name: 'svc_list_tasks',
    title: 'List scheduled tasks',
    description:
      'Lists the scheduled tasks of the account, newest first: when each is due, what its last run brought, and the approval of a change that is due now.',
    kind: 'read',
    scopes: ['svc:read'],
    modules: ['tasks'],
    input,
    output: z.array(taskViewSchema),
    run(principal, { state, offset, limit }) {
      const { uid } = principal.member;
      const nowMs = clock.nowMs();
      // The state of a task may have changed since it was stored, so it is checked after that.
      const all = store.tasks.read
        .list(uid)
        .map((task) => taskView(store, task, { principal, nowMs }))
        .filter((task) => state === undefined || task.state === state);
      const data = all.slice(offset, offset + limit);
      const end = offset + data.length;
      const complete = end >= all.length;
      return {
        data: data as unknown as JsonValue,
        sourcePagination: {
          complete,
          offset,
          limit,
          total: all.length,
          totalExact: true,
          itemsExact: true,
          nextOffset: complete ? null : end,
        },
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

/** One task as `svc_list_tasks` shows it. */
const taskViewSchema = z.strictObject({
  ...definitionInput.shape,
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

/** Shows a task to one of its account's clients; the approval to the grant only that it was given to. */
function taskView(
  store: BackendStore,
  found: TaskRow,
  viewer: { principal: RemotePrincipal; nowMs: number },
): TaskView {
  const { principal, nowMs } = viewer;
  const { task, run } = currentTaskOf(store, found, nowMs);
  const { name = null, kind, schedule, parameters } = definitionOf(task);
  const isTheirs = task.clientId === principal.clientId && task.grantId === principal.grantId;
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
    approval: isTheirs ? waitingChangeOf(task) : null,
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
