import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { bearerToken } from '#core/platform/loopback/index.ts';
import type { MemberTokens } from '../member-tokens.ts';
import type { BackendService } from '../service.ts';
import { keyOf } from '../remote-call/principal.ts';
import type { RemotePrincipal, Scope } from '../remote-call/principal.ts';

/** The shape of a JWT (RFC 7519 §3). The opaque tokens of the authorization server have no dots. */
const jwtShape = /^[^.]+\.[^.]+\.[^.]*$/;

/**
 * Finds the member behind the one bearer token of a request (contract §5.3). Fails with `token_invalid`, with `forbidden`
 * for another role's JWT, with `menu_denied` when remote tools are not in the member's menu, and with `storage_failed`.
 * Member JWTs count only where direct JWT is allowed.
 */
export function createRemoteAuthentication(
  service: BackendService,
  parts: { oauth: AuthorizationServer; tokens: MemberTokens; allowDirectJwt: boolean },
): (request: IncomingMessage) => Promise<RemotePrincipal> {
  return async (request) => {
    const token = bearerToken(request);
    if (token === null) throw new AppError('token_invalid');
    const isDirect = parts.allowDirectJwt && jwtShape.test(token);
    const principal = isDirect
      ? directPrincipal(service, parts.tokens, token)
      : await grantPrincipal(service, parts.oauth, token);
    if (!principal.member.mcpMenu) throw new AppError('menu_denied');
    return principal;
  };
}

/** Stands in for the client: no registered one can have this id. */
const directClient = 'direct-jwt';

/** No durable tasks: the token ends with the sign-in that it is from. */
const directScopes: readonly Scope[] = ['svc:read', 'svc:write', 'svc:upload'];

/**
 * The member who sends the access JWT of the member pages (contract §5.3, ALLOW_DIRECT_JWT). Fails with `token_invalid` for
 * anything but a living one of this tenant for this endpoint, and with `forbidden` for another role.
 */
function directPrincipal(
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

/** The member behind a living access token (contract §5.3). Fails with `token_invalid` and `storage_failed`. */
async function grantPrincipal(
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
