import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { MemberTokens } from '../auth/member-token.ts';
import type { BackendService } from '../service.ts';
import type { RemotePrincipal } from './principal.ts';

/**
 * Finds the member behind the one bearer token of a request (contract §5.3). Fails with `token_invalid`, or `menu_denied`
 * when remote tools are not in the member's menu. Member JWTs count only where direct JWT is allowed.
 */
export function createRemoteAuthentication(
  service: BackendService,
  parts: { oauth: AuthorizationServer; tokens: MemberTokens; allowDirectJwt: boolean },
): (request: IncomingMessage) => Promise<RemotePrincipal> {
  void service;
  void parts;
  return async () => {
    throw new AppError('token_invalid');
  };
}
