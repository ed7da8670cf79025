import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Grant, GrantStore } from './grant.ts';

export interface SignInOptions {
  /** `{mcp_url}`, an origin. */
  mcpUrl: string;
  store: Pick<GrantStore, 'client' | 'saveClient' | 'forgetClient' | 'save'>;
  /** Besides `svc:read`. */
  scopes: readonly string[];
  /** Called once, with the authorization address, when the listener waits. Resolves to whether a browser opened. */
  open(address: string): Promise<boolean>;
  /** How far it is. */
  onProgress?(progress: SignInProgress): void;
  /** Cancels: fails with `sign_in_cancelled`, and everything is closed. */
  signal: AbortSignal;
  /** How long a person may take, in milliseconds. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

export type SignInProgress =
  | { kind: 'waiting'; address: string; endsAtMs: number }
  | { kind: 'opened'; opened: boolean }
  | { kind: 'finishing' };

/**
 * One sign-in through the system's browser (contract §5.3, RFC 8252): discovery, registration, PKCE, the callback on the
 * loopback, the exchange. The grant is stored before this resolves. Fails with `discovery_failed`, `address_refused`,
 * `registration_failed`, `sign_in_cancelled`, `sign_in_timed_out`, `sign_in_refused`, `sign_in_mismatch`, `token_refused`,
 * `service_unreachable`, `wrong_host` or `service_unavailable`; nothing stays open, whatever happens.
 */
export async function signIn(_options: SignInOptions): Promise<Grant> {
  throw new Error('not yet');
}
