import { AppError } from '#shared/errors/index.ts';
import type { MemberTokens } from '../member-tokens.ts';
import type { BackendService } from '../service.ts';
import { keyOf } from './principal.ts';
import type { RemotePrincipal, Scope } from './principal.ts';

/** Stands in for the client: no registered one can have this id. */
const directClient = 'direct-jwt';

/** No durable tasks: the token ends with the sign-in that it is from. */
const directScopes: readonly Scope[] = ['svc:read', 'svc:write', 'svc:upload'];

/**
 * The member who sends the access JWT of the member pages (contract §5.3, ALLOW_DIRECT_JWT). Fails with `token_invalid` for
 * anything but a living one of this tenant for this endpoint, and with `forbidden` for another role.
 */
export function directPrincipal(
  { store, tenant }: BackendService,
  tokens: MemberTokens,
  token: string,
): RemotePrincipal {
  const claims = tokens.verify(token, 'remote');
  if (claims?.tenant !== tenant.id) throw new AppError('token_invalid');
  if (claims.role !== 'member') throw new AppError('forbidden');
  const member = store.read.member(claims.uid);
  if (member === null) throw new AppError('token_invalid');
  return {
    key: keyOf(member.uid, directClient),
    grantId: null,
    member,
    clientId: directClient,
    scopes: new Set(directScopes),
    identity: 'direct-jwt',
  };
}
