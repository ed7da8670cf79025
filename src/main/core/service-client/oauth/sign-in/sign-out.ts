import { type AuthorizationServer, None, revocationRequest } from 'oauth4webapi';
import type { Logger } from '#core/platform/logger.ts';
import type { RevocationView } from '#shared/app-api/index.ts';
import { discover } from '../discovery/discovery.ts';
import type { Grant, GrantStore, HeldGrant } from '../grants.ts';
import { serverRequests, type ServerRequests } from '../guarded-fetch.ts';
import { createUrlPolicy } from '../url-policy.ts';

export interface SignOutOptions {
  mcpUrl: string;
  store: GrantStore;
  /** Everything that the service is asked together, in milliseconds. */
  timeoutMs: number;
  logger: Logger;
}

/**
 * Forgets the grant and its client at once and in any case, then revokes it at the service (RFC 7009): the refresh token, then
 * the access token. Resolves to what became of it there; never fails because of the service.
 */
export async function signOut({ mcpUrl, store, timeoutMs, logger }: SignOutOptions): Promise<RevocationView> {
  const held = store.load();
  store.forget();
  if (held.kind !== 'held') return held.kind;
  try {
    return await revokeGrant(held.grant, { mcpUrl, timeoutMs });
  } catch (failure) {
    logger.warn({ because: failureName(failure) }, 'The service did not confirm a sign-out');
    return 'unconfirmed';
  }
}

async function revokeGrant(
  grant: Grant,
  { mcpUrl, timeoutMs }: { mcpUrl: string; timeoutMs: number },
): Promise<RevocationView> {
  const signal = AbortSignal.timeout(timeoutMs);
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs, signal };
  const { server } = await discover({ mcpUrl, ...limits });
  // Tokens go to the server that gave them, and to no other.
  if (server.issuer !== grant.issuer) return 'other-server';
  if (server.revocation_endpoint === undefined) return 'not-offered';
  const revoke = (token: string, hint: 'refresh_token' | 'access_token'): Promise<boolean> =>
    revokeToken(server, { clientId: grant.clientId, token, hint }, serverRequests(limits));
  const isRefreshRevoked =
    grant.refreshToken === null || (await revoke(grant.refreshToken, 'refresh_token').catch(() => false));
  const isAccessRevoked = await revoke(grant.accessToken, 'access_token');
  return isAccessRevoked && isRefreshRevoked ? 'revoked' : 'unconfirmed';
}

export interface Revocation {
  clientId: string;
  token: string;
  hint: 'refresh_token' | 'access_token';
}

/**
 * Revokes one token (RFC 7009 §2.1). Resolves to whether the server confirmed; a token that it does not know any more is
 * revoked as well, which too is a 200 (§2.2). Fails as the request does.
 */
async function revokeToken(
  server: AuthorizationServer,
  { clientId, token, hint }: Revocation,
  requests: ServerRequests,
): Promise<boolean> {
  const asked = { ...requests, additionalParameters: { token_type_hint: hint } };
  return (await revocationRequest(server, { client_id: clientId }, None(), token, asked)).status === 200;
}

export interface GiveBackOptions {
  server: AuthorizationServer;
  requests: ServerRequests;
  logger: Logger;
}

/**
 * Gives a grant back to the server that gave it, with one request: its refresh token, else its access token. Tokens that the
 * server issued a second time, for the grant that stays, stay as well. Never fails; its result matters to no caller.
 */
export async function giveBack(
  { issuer, clientId, refreshToken, accessToken }: Grant,
  staying: HeldGrant,
  { server, requests, logger }: GiveBackOptions,
): Promise<void> {
  if (issuer !== server.issuer || server.revocation_endpoint === undefined) return;
  const token = refreshToken ?? accessToken;
  const kept = staying.kind === 'held' ? [staying.grant.refreshToken, staying.grant.accessToken] : [];
  if (kept.includes(token)) return;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  try {
    await revokeToken(server, { clientId, token, hint }, requests);
  } catch (failure) {
    logger.info({ because: failureName(failure) }, 'A sign-in that is not used could not be given back');
  }
}

/** The failure by its name alone: the request was full of secrets. */
function failureName(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown';
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
}
