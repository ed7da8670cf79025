import type { Clock } from '#core/platform/clock.ts';
import type { Grant } from './grant.ts';
import { heldGrant, isCurrent } from './held-grant.ts';
import { refreshGrant, type AccessOptions } from './refresh.ts';

/** What opens the remote tools: asked for every request, never kept by who asks. */
export interface RemoteAccess {
  /** The token of now; renewed first where its time is up. Fails with `sign_in_needed`, or as the renewal does. */
  token(): Promise<string>;
  /** The service refused this token with 401: another one, once. Fails with `sign_in_needed`, or as the renewal does. */
  renew(refused: string): Promise<string>;
}

/** A token is renewed this much before its end, in milliseconds. */
const marginMs = 30_000;

/**
 * Access from a stored grant. However many ask, of however many of these over one store, one refresh is under way at a time;
 * its lease is on the disk before the request leaves, the new tokens before their use. An answer that never came ends the
 * grant: the old token is not used again. A refresh that certainly did not arrive fails with `service_unreachable`,
 * `wrong_host`, `rate_limited` or `service_unavailable`, and can be tried again.
 */
export function createAccess(options: AccessOptions): RemoteAccess {
  const { mcpUrl, store, clock } = options;

  function renewed(grant: Grant): Promise<Grant> {
    if (store.underWay !== null) return store.underWay;
    const turn = refreshGrant(grant, options).finally(() => {
      store.underWay = null;
    });
    store.underWay = turn;
    return turn;
  }

  /** The grant after the refresh that is under way, or as it is stored. */
  const settled = async (): Promise<Grant> => store.underWay ?? heldGrant(store, mcpUrl);

  /** What is left of a token is used up while nothing better can be had. */
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
