import type { Logger } from '#core/platform/logger.ts';
import type { GrantStore } from './grant.ts';

/**
 * Revokes the grant at the service (RFC 7009) and forgets it in any case. Resolves to whether the service confirmed; never
 * fails because of the service.
 */
export async function signOut(_options: {
  mcpUrl: string;
  store: GrantStore;
  timeoutMs: number;
  logger: Logger;
}): Promise<boolean> {
  throw new Error('not yet');
}
