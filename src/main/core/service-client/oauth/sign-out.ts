import type { Logger } from '#core/platform/logger.ts';
import { createUrlPolicy } from '../url-policy.ts';
import { discover } from './discover.ts';
import type { Grant, GrantStore } from './grant.ts';
import { failureName, revokeToken } from './revoke.ts';
import { serverRequests } from './server-requests.ts';

export interface SignOutOptions {
  mcpUrl: string;
  store: GrantStore;
  /** Everything that the service is asked together, in milliseconds. */
  timeoutMs: number;
  logger: Logger;
}

/**
 * Forgets the grant and its client at once and in any case, then revokes it at the service (RFC 7009): the refresh token, then
 * the access token. Resolves to whether the service confirmed, true also where nothing was held; never fails because of the
 * service.
 */
export async function signOut({ mcpUrl, store, timeoutMs, logger }: SignOutOptions): Promise<boolean> {
  const held = store.load();
  store.forget();
  if (held.kind !== 'held') return held.kind === 'none';
  try {
    return await revokeGrant(held.grant, { mcpUrl, timeoutMs });
  } catch (failure) {
    logger.warn({ because: failureName(failure) }, 'The service did not confirm a sign-out');
    return false;
  }
}

async function revokeGrant(
  grant: Grant,
  { mcpUrl, timeoutMs }: { mcpUrl: string; timeoutMs: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs, signal };
  const { server } = await discover({ mcpUrl, ...limits });
  // Tokens go to the server that gave them, and to no other.
  if (server.issuer !== grant.issuer || server.revocation_endpoint === undefined) return false;
  const revoke = (token: string, hint: 'refresh_token' | 'access_token'): Promise<boolean> =>
    revokeToken(server, { clientId: grant.clientId, token, hint }, serverRequests(limits));
  const isRefreshRevoked =
    grant.refreshToken === null || (await revoke(grant.refreshToken, 'refresh_token').catch(() => false));
  return (await revoke(grant.accessToken, 'access_token')) && isRefreshRevoked;
}
