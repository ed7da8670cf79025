import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profile } from '#core/profiles/index.ts';
import {
  createAccess,
  createMemoryGrants,
  type GrantStore,
  type RemoteAccess,
  signIn,
  signOut,
} from '#core/service-client/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';

/** The examined service and its credentials. For each one that is null, a step explains how to get it. */
export interface DiagnosticTarget {
  subject: string;
  /** Null in a terminal, where remedies name options instead of pages. */
  profileId: string | null;
  addresses: ServiceAddresses;
  access: RemoteAccess | null;
  grants: Pick<GrantStore, 'load' | 'client'> | null;
  remoteAccess: Profile['remoteAccess'];
  memberToken: string | null;
  publisherKey: string | null;
  tid?: number | undefined;
}

export interface OneTimeSignIn {
  /** Resolves with true if a browser opened. */
  open(address: string): Promise<boolean>;
  signal: AbortSignal;
  personMs: number;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

interface OneTimeTargetOptions {
  addresses: ServiceAddresses;
  memberToken: string | null;
  publisherKey: string | null;
  tid?: number | undefined;
  signIn: OneTimeSignIn | null;
}

/**
 * A service without a profile, examined once with credentials in memory. The user
 * signs in when the examination needs it. `dispose` revokes that access (RFC 7009).
 */
export function oneTimeTarget(options: OneTimeTargetOptions): AsyncDisposable & { target: DiagnosticTarget } {
  const { addresses, memberToken, publisherKey, tid } = options;
  const grants = createMemoryGrants();
  const access = options.signIn === null ? null : lazyAccess(addresses, grants, options.signIn);
  return {
    target: {
      subject: addresses.mcpUrl,
      profileId: null,
      addresses,
      access,
      grants,
      remoteAccess: 'oauth',
      memberToken,
      publisherKey,
      tid,
    },
    async dispose() {
      if (options.signIn === null || grants.load().kind === 'none') return;
      const { timeoutMs, logger } = options.signIn;
      await signOut({ mcpUrl: addresses.mcpUrl, store: grants, timeoutMs, logger });
    },
  };
}

function lazyAccess({ mcpUrl }: ServiceAddresses, store: GrantStore, asked: OneTimeSignIn): RemoteAccess {
  const { open, signal, personMs, timeoutMs, clock, logger } = asked;
  const access = createAccess({ mcpUrl, store, clock, logger, timeoutMs });
  let signedIn: Promise<unknown> | null = null;
  const once = (): Promise<unknown> =>
    (signedIn ??= signIn({
      mcpUrl,
      store,
      scopes: [],
      open,
      signal,
      timeoutMs: personMs,
      requestTimeoutMs: timeoutMs,
      clock,
      logger,
    }));
  return {
    token: async () => {
      await once();
      return access.token();
    },
    renew: access.renew,
  };
}
