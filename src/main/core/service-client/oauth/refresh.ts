import { None, refreshTokenGrantRequest } from 'oauth4webapi';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { discover, type DiscoverOptions, type Discovery } from './discovery.ts';
import { createUrlPolicy, noAnswerError, serverRequests, isClientUnknown } from './oauth-requests.ts';
import { type Grant, type GrantStore, requireGrant, isCurrent, type RemoteAccess } from './grants.ts';
import { requestTokens, grantTokens, type TokenOutcome } from './tokens.ts';

const renewalMarginMs = 30_000;

/**
 * Access from a stored grant. Concurrent callers share one refresh. Its lease is on disk before the request is sent, and
 * the new tokens are on disk before their use. A refresh without an answer ends the grant. A refresh that certainly did
 * not arrive fails with `service_unreachable`, `wrong_host`, `rate_limited` or `service_unavailable`, and may be repeated.
 */
export function createAccess(options: AccessOptions): RemoteAccess {
  const { mcpUrl, store, clock } = options;

  function renewShared(grant: Grant): Promise<Grant> {
    if (store.runningRefresh !== null) return store.runningRefresh;
    const refreshing = refreshGrant(grant, options).finally(() => {
      store.runningRefresh = null;
    });
    store.runningRefresh = refreshing;
    return refreshing;
  }

  const latestGrant = async (): Promise<Grant> => store.runningRefresh ?? requireGrant(store, mcpUrl);

  /** If the renewal fails, uses the old token until it expires. */
  async function renewOrKeep(grant: Grant): Promise<Grant> {
    try {
      return await renewShared(grant);
    } catch (failure) {
      const isStillHeld = isCurrent(store, grant) && remainingMs(grant, clock) > 0;
      if (!isStillHeld) throw failure;
      return grant;
    }
  }

  return {
    async token() {
      const grant = await latestGrant();
      const isFresh = remainingMs(grant, clock) > (grant.refreshToken === null ? 0 : renewalMarginMs);
      return (isFresh ? grant : await renewOrKeep(grant)).accessToken;
    },
    async renew(refused) {
      const grant = await latestGrant();
      return (grant.accessToken === refused ? await renewShared(grant) : grant).accessToken;
    },
  };
}

function remainingMs({ expiresAtMs }: Grant, clock: Clock): number {
  return expiresAtMs === null ? Infinity : expiresAtMs - clock.nowMs();
}

export interface AccessOptions {
  mcpUrl: string;
  store: GrantStore;
  clock: Clock;
  logger: Logger;
  timeoutMs: number;
  onChange?(): void;
}

/**
 * Refreshes a grant (RFC 6749 §6, RFC 8707 §2.2). Without a new refresh token, the old token is kept. A failed refresh also
 * updates the store. Only one refresh may run at a time.
 */
async function refreshGrant(grant: Grant, options: AccessOptions): Promise<Grant> {
  const { mcpUrl, store, clock } = options;
  const { refreshToken, resource, clientId: client_id } = grant;
  if (refreshToken === null) throw endGrant(options);
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs: options.timeoutMs };
  const { server } = await discoverWithinDeadline({ mcpUrl, ...limits });
  if (!isCurrent(store, grant)) return requireGrant(store, mcpUrl);
  if (server.issuer !== grant.issuer) throw new AppError('sign_in_needed', { message: otherServerMessage });

  store.lease();
  const nowMs = clock.nowMs();
  const outcome = await requestTokens([refreshToken], () =>
    refreshTokenGrantRequest(server, { client_id }, None(), refreshToken, {
      ...serverRequests(limits),
      additionalParameters: { resource },
    }),
  );
  if (!isCurrent(store, grant)) return requireGrant(store, mcpUrl);
  return storeOutcome(outcome, { grant, nowMs, options });
}

/** All discovery requests share one time limit, because a sign-out waits for a running refresh. */
async function discoverWithinDeadline(options: DiscoverOptions): Promise<Discovery> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    return await discover({ ...options, signal });
  } catch (cause) {
    if (cause instanceof AppError || !signal.aborted) throw cause;
    throw noAnswerError(new URL(options.mcpUrl).host, { sent: false, cause });
  }
}

const otherServerMessage = 'The service has another authorization server now than the one of the sign-in.';

function storeOutcome(
  outcome: TokenOutcome,
  { grant, nowMs, options }: { grant: Grant; nowMs: number; options: AccessOptions },
): Grant {
  const { store, onChange } = options;
  switch (outcome.kind) {
    case 'granted': {
      const tokens = grantTokens(outcome.tokens, { scopes: grant.scopes, nowMs });
      const renewed = { ...grant, ...tokens, refreshToken: tokens.refreshToken ?? grant.refreshToken };
      store.save(renewed);
      onChange?.();
      return renewed;
    }
    case 'unused':
      store.release();
      throw outcome.failure;
    case 'refused':
    case 'unknown':
      if (isClientUnknown(outcome.failure)) store.forgetClient();
      throw endGrant(options, outcome.failure);
    default:
      return assertNever(outcome);
  }
}

function endGrant({ store, logger, onChange }: AccessOptions, failure?: AppError): AppError {
  store.end();
  logger.warn({ because: failure?.code ?? 'no refresh token' }, 'A sign-in has ended');
  onChange?.();
  return new AppError('sign_in_needed', { message: 'The sign-in has ended.', cause: failure });
}
