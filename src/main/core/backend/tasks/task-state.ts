import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BackendStore, RunOutcome, TaskRow, TaskRunRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { principalKeyOf, type RemotePrincipal } from '../remote-call/tool.ts';
import { moduleOf, requireTargets, type TaskDefinition, type TaskTargets } from './definition.ts';

interface CurrentTask {
  task: TaskRow;
  run: TaskRunRow | null;
}

/** Derives the state at every read, because a commit or an expiry does not update the task's row. */
export function currentTaskOf(
  { tasks, operations }: BackendStore,
  task: TaskRow,
  nowMs: number,
): CurrentTask {
  const run = tasks.read.lastRun(task.id);
  const waiting = waitingChangeOf(task);
  if (waiting === null) return { task, run };
  const approval = operations.approval(waiting.id);
  if (approval !== null && !approval.used && nowMs < approval.expiresAtMs) return { task, run };
  const outcome: RunOutcome = approval?.used === true ? 'committed' : 'expired';
  return { task: withoutChange(task), run: run === null ? null : { ...run, outcome } };
}

export function settle(store: BackendStore, task: TaskRow, nowMs: number): CurrentTask {
  const current = currentTaskOf(store, task, nowMs);
  if (current.task === task) return current;
  store.tasks.write.setTask(current.task);
  if (current.run !== null) store.tasks.write.setRun(current.run);
  return current;
}

export function withoutChange(task: TaskRow): TaskRow {
  const state = task.nextDueAtMs === null ? 'ended' : 'active';
  return { ...task, state, approval: null, approvalExpiresAtMs: null };
}

const anyJson = z.custom<JsonValue>();

export const waitingChangeSchema = z.strictObject({
  id: z.string(),
  fingerprint: z.string(),
  expiresAt: z.string(),
  kind: z.string().describe('The kind of write, for example campaign_status.'),
  payload: anyJson,
  diff: z.array(z.strictObject({ field: z.string(), from: anyJson, to: anyJson })),
  warnings: z.array(z.string()),
});

type WaitingChange = z.infer<typeof waitingChangeSchema>;

export function waitingChangeOf({ approval }: Pick<TaskRow, 'approval'>): WaitingChange | null {
  return approval === null ? null : waitingChangeSchema.parse(JSON.parse(approval));
}

/** Fails with `token_invalid`, `menu_denied`, `scope_missing`, `module_denied`, or as {@link requireTargets} does. */
export function principalOf(
  targets: TaskTargets,
  task: TaskRow,
  definition: TaskDefinition,
): RemotePrincipal {
  const { store, clock } = targets.service;
  const { uid, clientId, grantId } = task;
  requireGrant(store, grantId, clock.nowMs());
  const member = store.read.member(uid);
  if (member === null || !member.mcpMenu) throw new AppError('menu_denied');
  const scopes = new Set(task.scopes.split(' '));
  const needed = definition.kind === 'report_export' ? ['svc:read'] : ['svc:read', 'svc:write'];
  if (![...needed, 'offline_access'].every((scope) => scopes.has(scope))) throw new AppError('scope_missing');
  const modules = ['tasks', moduleOf(definition)] as const;
  if (!modules.every((module) => member.modules.includes(module))) throw new AppError('module_denied');
  requireTargets(targets, uid, definition);
  return { key: principalKeyOf(uid, clientId), grantId, member, clientId, scopes, identity: 'oauth' };
}

function requireGrant(store: BackendStore, grantId: string | null, nowMs: number): void {
  const idHash = createHash('sha256')
    .update(grantId ?? '')
    .digest('hex');
  const grant = grantId === null ? null : store.oauth.find('Grant', idHash);
  const isActive = grant !== null && (grant.expiresAtMs === null || nowMs < grant.expiresAtMs);
  if (!isActive) throw new AppError('token_invalid');
}

const accessLossCodes: ReadonlySet<string> = new Set([
  'token_invalid',
  'menu_denied',
  'scope_missing',
  'module_denied',
  'campaign_not_found',
  'source_forbidden',
]);

export function isAccessLoss({ code }: AppError): boolean {
  return accessLossCodes.has(code);
}

export function suspendTask(task: TaskRow, { code }: AppError): TaskRow {
  return { ...withoutChange(task), state: 'suspended', reason: code, nextDueAtMs: null };
}
