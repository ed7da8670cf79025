import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { GrantStore } from './grant.ts';

/** What opens the remote tools: asked for every request, never kept by who asks. */
export interface RemoteAccess {
  /** The token of now; renewed first where its time is up. Fails with `sign_in_needed`, or as the renewal does. */
  token(): Promise<string>;
  /** The service refused this token with 401: another one, once. Fails with `sign_in_needed`. */
  renew(refused: string): Promise<string>;
}

export interface AccessOptions {
  mcpUrl: string;
  store: GrantStore;
  clock: Clock;
  logger: Logger;
  /** One request to the authorization server, in milliseconds. */
  timeoutMs: number;
  /** The grant was renewed or has ended. */
  onChange?(): void;
}

/**
 * Access from a stored grant. However many ask, one refresh is under way at a time; its lease is on the disk before the
 * request leaves, the new tokens before their use. An answer that never came ends the grant: the old token is not used again.
 */
export function createAccess(_options: AccessOptions): RemoteAccess {
  throw new Error('not yet');
}
