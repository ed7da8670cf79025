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

/** The service that is examined, with what opens it. What is null is not there, and its steps say how to get it. */
export interface DiagnosticTarget {
  subject: string;
  /** Null in the terminal, where the remedies name options in place of pages. */
  profileId: string | null;
  addresses: ServiceAddresses;
  access: RemoteAccess | null;
  /** The stored sign-in and its client; null if the tools are opened without one. */
  grants: Pick<GrantStore, 'load' | 'client'> | null;
  /** Access to the remote tools: by a sign-in, or by the member token itself. */
  remoteAccess: Profile['remoteAccess'];
  memberToken: string | null;
  publisherKey: string | null;
  /** The traffic source whose statistics are read; without it one that the service names. */
  tid?: number | undefined;
}

export interface OneTimeSignIn {
  /** Shows the authorization address. Resolves to whether a browser opened. */
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
 * A service that is no profile, examined once, with credentials kept in memory alone. The user signs in, if at all, when the
 * examination comes to it; `dispose` gives the access back to the service (RFC 7009), as far as it answers.
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

/** Signs in when a token is first asked for; who asks meanwhile waits for the same sign-in. */
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
