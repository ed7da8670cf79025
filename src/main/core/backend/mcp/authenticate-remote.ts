import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { bearerToken } from '#core/platform/loopback/index.ts';
import type { MemberTokens } from '../member-tokens.ts';
import type { BackendService } from '../service.ts';
import { directPrincipal } from './direct-principal.ts';
import { grantPrincipal } from './grant-principal.ts';
import type { RemotePrincipal } from './principal.ts';

/** What tells a JWT (RFC 7519 §3) from the opaque tokens of the authorization server, which have no dots. */
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
