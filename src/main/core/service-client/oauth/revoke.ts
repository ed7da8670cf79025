import { None, revocationRequest, type AuthorizationServer } from 'oauth4webapi';
import type { Logger } from '#core/platform/logger.ts';
import type { Grant, HeldGrant } from './grant.ts';
import type { ServerRequests } from './server-requests.ts';

export interface Revocation {
  clientId: string;
  token: string;
  hint: 'refresh_token' | 'access_token';
}

/**
 * Revokes one token (RFC 7009 §2.1). Resolves to whether the server confirmed; a token that it does not know any more is
 * revoked as well, which too is a 200 (§2.2). Fails as the request does.
 */
export async function revokeToken(
  server: AuthorizationServer,
  { clientId, token, hint }: Revocation,
  requests: ServerRequests,
): Promise<boolean> {
  const asked = { ...requests, additionalParameters: { token_type_hint: hint } };
  return (await revocationRequest(server, { client_id: clientId }, None(), token, asked)).status === 200;
}

export interface ReplacementOptions {
  server: AuthorizationServer;
  requests: ServerRequests;
  logger: Logger;
}

/**
 * Gives back what a new grant of the same server has replaced, with one request: its refresh token, else its access token.
 * What the server gave a second time stays. Never fails; nobody needs to hear how it ended.
 */
export async function revokeReplaced(
  replaced: HeldGrant,
  by: Grant,
  { server, requests, logger }: ReplacementOptions,
): Promise<void> {
  if (replaced.kind !== 'held' || replaced.grant.issuer !== server.issuer) return;
  if (server.revocation_endpoint === undefined) return;
  const { clientId, refreshToken, accessToken } = replaced.grant;
  const token = refreshToken ?? accessToken;
  if (token === by.refreshToken || token === by.accessToken) return;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  try {
    await revokeToken(server, { clientId, token, hint }, requests);
  } catch (failure) {
    logger.info({ because: failureName(failure) }, 'A replaced sign-in could not be given back');
  }
}

/** What happened, by its name alone: the request was full of secrets. */
export function failureName(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown';
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
}
