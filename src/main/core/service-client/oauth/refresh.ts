import { None, refreshTokenGrantRequest } from 'oauth4webapi';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { discover, type DiscoverOptions, type Discovery } from './discovery.ts';
import { createUrlPolicy, noAnswer, serverRequests, tellsClientUnknown } from './oauth-requests.ts';
import { type Grant, type GrantStore, heldGrant, isCurrent, type RemoteAccess } from './grants.ts';
import { askForTokens, heldTokens, type TokenOutcome } from './tokens.ts';

const marginMs = 30_000;

/**
 * Access from a stored grant. Concurrent callers share one refresh. Its lease is on disk before the request is sent, and
 * the new tokens are on disk before their use. A refresh without an answer ends the grant. A refresh that certainly did
 * not arrive fails with `service_unreachable`, `wrong_host`, `rate_limited` or `service_unavailable`, and may be repeated.
 */
export function createAccess(options: AccessOptions): RemoteAccess {
  const { mcpUrl, store, clock } = options;

  function renewed(grant: Grant): Promise<Grant> {
    if (store.underWay !== null) return store.underWay;
    const refreshing = refreshGrant(grant, options).finally(() => {
      store.underWay = null;
    });
    store.underWay = refreshing;
    return refreshing;
  }

  const settled = async (): Promise<Grant> => store.underWay ?? heldGrant(store, mcpUrl);

  /** If the renewal fails, uses the old token until it expires. */
  async function renewedInTime(grant: Grant): Promise<Grant> {
    try {
      return await renewed(grant);
    } catch (failure) {
      const isStillHeld = isCurrent(store, grant) && leftMs(grant, clock) > 0;
      if (!isStillHeld) throw failure;
      return grant;
    }
  }

  return {
    async token() {
      const grant = await settled();
      const isFresh = leftMs(grant, clock) > (grant.refreshToken === null ? 0 : marginMs);
      return (isFresh ? grant : await renewedInTime(grant)).accessToken;
    },
    async renew(refused) {
      const grant = await settled();
      return (grant.accessToken === refused ? await renewed(grant) : grant).accessToken;
    },
  };
}

function leftMs({ expiresAtMs }: Grant, clock: Clock): number {
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
  if (refreshToken === null) throw ended(options);
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs: options.timeoutMs };
  const { server } = await discoverInTime({ mcpUrl, ...limits });
  if (!isCurrent(store, grant)) return heldGrant(store, mcpUrl);
  if (server.issuer !== grant.issuer) throw new AppError('sign_in_needed', { message: otherServer });

  store.lease();
  const nowMs = clock.nowMs();
  const outcome = await askForTokens([refreshToken], () =>
    refreshTokenGrantRequest(server, { client_id }, None(), refreshToken, {
      ...serverRequests(limits),
      additionalParameters: { resource },
    }),
  );
  if (!isCurrent(store, grant)) return heldGrant(store, mcpUrl);
  return keepOutcome(outcome, { grant, nowMs, options });
}

/** All discovery requests share one time limit, because a sign-out waits for a running refresh. */
async function discoverInTime(options: DiscoverOptions): Promise<Discovery> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    return await discover({ ...options, signal });
  } catch (cause) {
    if (cause instanceof AppError || !signal.aborted) throw cause;
    throw noAnswer(new URL(options.mcpUrl).host, { sent: false, cause });
  }
}

const otherServer = 'The service has another authorization server now than the one of the sign-in.';

function keepOutcome(
  outcome: TokenOutcome,
  { grant, nowMs, options }: { grant: Grant; nowMs: number; options: AccessOptions },
): Grant {
  const { store, onChange } = options;
  switch (outcome.kind) {
    case 'granted': {
      const tokens = heldTokens(outcome.tokens, { scopes: grant.scopes, nowMs });
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
      if (tellsClientUnknown(outcome.failure)) store.forgetClient();
      throw ended(options, outcome.failure);
    default:
      return assertNever(outcome);
  }
}

function ended({ store, logger, onChange }: AccessOptions, failure?: AppError): AppError {
  store.end();
  logger.warn({ because: failure?.code ?? 'no refresh token' }, 'A sign-in has ended');
  onChange?.();
  return new AppError('sign_in_needed', { message: 'The sign-in has ended.', cause: failure });
}
