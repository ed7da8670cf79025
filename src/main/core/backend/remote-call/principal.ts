import type { Principal } from '#core/mcp-server/index.ts';
import type { Member } from '#core/store/backend/index.ts';

/** The scopes of the service (contract §5.3). */
export type Scope = 'svc:read' | 'svc:write' | 'svc:upload' | 'offline_access';

/** A member who calls the remote tools, as of this request. */
export interface RemotePrincipal extends Principal {
  member: Member;
  clientId: string;
  scopes: ReadonlySet<string>;
  identity: 'oauth' | 'direct-jwt';
}

/** The key of a principal: the account, then the client. */
export function keyOf(uid: number, clientId: string): string {
  return `${uid} ${clientId}`;
}
