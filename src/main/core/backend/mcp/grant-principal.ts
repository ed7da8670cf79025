import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendService } from '../service.ts';
import { keyOf } from './principal.ts';
import type { RemotePrincipal } from './principal.ts';

/** The member behind a living access token (contract §5.3). Fails with `token_invalid` and `storage_failed`. */
export async function grantPrincipal(
  { store }: BackendService,
  oauth: AuthorizationServer,
  token: string,
): Promise<RemotePrincipal> {
  const grant = await oauth.authenticate(token);
  const member = grant === null ? null : store.read.member(Number(grant.subject));
  if (grant === null || member === null) throw new AppError('token_invalid');
  const { clientId, grantId, scopes } = grant;
  return { key: keyOf(member.uid, clientId), grantId, member, clientId, scopes, identity: 'oauth' };
}
