import { z } from 'zod';
import { runOutcomes, taskStates } from '#core/store/backend/index.ts';
import type { BackendStore, TaskRow, TaskRunRow } from '#core/store/backend/index.ts';
import type { RemotePrincipal } from '../../mcp/principal.ts';
import { definitionInput } from '../definition/definition.ts';
import { definitionOf } from '../definition/stored-definition.ts';
import { standingOf } from '../state/standing.ts';
import { waitingChangeOf, waitingChangeSchema } from '../state/waiting-change.ts';

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
export const taskViewSchema = z.strictObject({
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

/** Where the report of a run is read. */
function runUri(runId: string): string {
  return `svc://task-runs/${runId}`;
}

/** Shows a task to one of its account's clients; the approval to the grant only that it was given to. */
export function taskView(
  store: BackendStore,
  found: TaskRow,
  viewer: { principal: RemotePrincipal; nowMs: number },
): TaskView {
  const { principal, nowMs } = viewer;
  const { task, run } = standingOf(store, found, nowMs);
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
