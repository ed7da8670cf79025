import type { BackendReader } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemotePrincipal, Scope } from '../mcp/principal.ts';
import { hasModule, hasScopes, scopesOf } from '../mcp/requirements.ts';
import type { Requirements } from '../mcp/tool.ts';
import type { WriteKind } from './write-kind.ts';

/** What every prepare and every commit needs. */
export const writeScopes: readonly Scope[] = ['svc:read', 'svc:write'];

/** What somebody needs for this kind of write. */
export function requirementsOf({ scopes, modules }: Pick<WriteKind, 'scopes' | 'modules'>): Requirements {
  return { scopes: [...new Set([...writeScopes, ...scopes])], modules };
}

/**
 * Whether the principal may still make this kind of write: the scopes of the token, and menu and modules as they are now.
 * Fails with `menu_denied`, `scope_missing` or `module_denied`.
 */
export function requirePermissions(
  read: BackendReader,
  { principal, kind }: { principal: RemotePrincipal; kind: WriteKind },
): void {
  const needed = requirementsOf(kind);
  const member = read.member(principal.member.uid);
  if (member === null || !member.mcpMenu) throw new AppError('menu_denied');
  if (!hasScopes(principal, needed)) {
    const all = [...new Set([...principal.scopes, ...scopesOf(needed)])];
    throw new AppError('scope_missing', { data: { scope: all.join(' ') } });
  }
  if (!hasModule({ scopes: principal.scopes, member }, needed)) throw new AppError('module_denied');
}
