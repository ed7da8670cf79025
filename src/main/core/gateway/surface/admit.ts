import type { PinnedTool, ToolPins } from '#core/agents/index.ts';
import type { IncomingCall } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AgentPrincipal } from '../principal.ts';

/**
 * Looks at a request before it is answered: whoever may only read proposes nothing. Fails with `scope_missing`, whose
 * `data.scope` names what the agent has together with what it lacks (RFC 6750 §3.1).
 */
export function assertScopes(
  { profileId, scopes }: AgentPrincipal,
  { method, params: { name } }: IncomingCall,
  { pins, isOwn }: { pins: Pick<ToolPins, 'find'>; isOwn: (name: string) => boolean },
): void {
  if (method !== 'tools/call' || typeof name !== 'string' || isOwn(name)) return;
  const tool = pins.find(profileId, name);
  if (tool === null) return;
  const needed = scopesOf(tool);
  if (needed.every((scope) => scopes.has(scope))) return;
  throw new AppError('scope_missing', { data: { scope: [...new Set([...scopes, ...needed])].join(' ') } });
}

/** Contract §5.3, Scopes. */
function scopesOf({ name, treatAs }: PinnedTool): readonly string[] {
  if (treatAs === 'read') return ['svc:read'];
  return name === 'svc_prepare_upload' ? ['svc:write', 'svc:upload'] : ['svc:write'];
}
