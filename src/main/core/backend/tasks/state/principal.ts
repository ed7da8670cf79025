import { createHash } from 'node:crypto';
import type { BackendStore, TaskRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { keyOf } from '../../mcp/principal.ts';
import type { RemotePrincipal } from '../../mcp/principal.ts';
import type { TaskDefinition } from '../definition/definition.ts';
import { moduleOf } from '../definition/definition.ts';
import { requireTargets } from '../definition/targets.ts';
import type { TaskTargets } from '../definition/targets.ts';

/**
 * Whoever made a task, as of now, if it may still do what the task does. Fails with `token_invalid` when the grant has ended,
 * `menu_denied`, `scope_missing`, `module_denied`, or as `requireTargets`.
 */
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
  return { key: keyOf(uid, clientId), grantId, member, clientId, scopes, identity: 'oauth' };
}

/** A task lives no longer than the grant that it was made with. */
function requireGrant(store: BackendStore, grantId: string | null, nowMs: number): void {
  const idHash = createHash('sha256')
    .update(grantId ?? '')
    .digest('hex');
  const grant = grantId === null ? null : store.oauth.find('Grant', idHash);
  const isAlive = grant !== null && (grant.expiresAtMs === null || nowMs < grant.expiresAtMs);
  if (!isAlive) throw new AppError('token_invalid');
}

/** What was taken away for good, as far as a task is concerned. Anything else may be otherwise next time. */
const losses: ReadonlySet<string> = new Set([
  'token_invalid',
  'menu_denied',
  'scope_missing',
  'module_denied',
  'campaign_not_found',
  'source_forbidden',
]);

/** Whether this failure says that a task has lost something that it needs. */
export function isLoss({ code }: AppError): boolean {
  return losses.has(code);
}
