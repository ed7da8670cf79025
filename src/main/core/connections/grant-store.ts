import type { Clock } from '#core/platform/clock.ts';
import type { Credentials, Profile } from '#core/profiles/index.ts';
import {
  type Grant,
  type GrantStore,
  type StoredGrant,
  parseClient,
  parseGrant,
  type RemoteAccess,
  serializeClient,
  serializeGrant,
  signOut,
} from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { RevocationView } from '#shared/app-api/index.ts';
import type { SignInController } from './sign-in-controller.ts';

const marginMs = 60_000;

export function createDemoAccess(
  issue: () => Promise<{ accessToken: string; expiresInSeconds: number }>,
  clock: Clock,
): RemoteAccess {
  let held: { token: Promise<string>; endsAtMs: number } | null = null;

  function issued(): Promise<string> {
    const token = issue().then(({ accessToken, expiresInSeconds }) => {
      if (held?.token === token) held.endsAtMs = clock.monotonicMs() + expiresInSeconds * 1000 - marginMs;
      return accessToken;
    });
    const next = { token, endsAtMs: Infinity };
    held = next;
    token.catch(() => {
      if (held === next) held = null;
    });
    return token;
  }

  const current = (): Promise<string> =>
    held !== null && clock.monotonicMs() < held.endsAtMs ? held.token : issued();

  return {
    token: current,
    // If a caller's token has been replaced already, returns the replacement.
    renew: async (refused) => {
      const now = await current();
      return now === refused ? issued() : now;
    },
  };
}

interface GrantStoreOptions {
  store: AppStore;
  credentials: Credentials;
  clock: Clock;
}

/** The grant stores of this process, one per profile, so that all callers share a running refresh. */
export function createGrantStores(options: GrantStoreOptions): (profileId: string) => GrantStore {
  const stores = new Map<string, GrantStore>();
  return (profileId) => {
    const grants = stores.get(profileId) ?? createGrantStore(profileId, options);
    stores.set(profileId, grants);
    return grants;
  };
}

/** The grant of a live profile, sealed in the app's database. Each step is its own transaction. */
function createGrantStore(profileId: string, { store, credentials, clock }: GrantStoreOptions): GrantStore {
  const { profiles } = store;

  /**
   * Ends a grant whose lease an earlier process left, because its
   * refresh token may have been used. It need not be unsealed for that.
   */
  function endLease(): void {
    if (isLeftBehind()) credentials.forget(profileId, 'oauth-grant');
    profiles.endLease(profileId);
  }

  const isLeftBehind = (): boolean => grants.runningRefresh === null && profiles.leaseOf(profileId) !== null;

  function replace(grant: Grant | null): void {
    store.transaction(() => {
      endLease();
      credentials.write(profileId, 'oauth-grant', serializeGrant(grant));
    });
  }

  const grants: GrantStore = {
    runningRefresh: null,
    load() {
      if (isLeftBehind()) return { kind: 'ended' };
      const held = credentials.held(profileId, 'oauth-grant');
      return held === 'held' ? readHeld(credentials, profileId) : { kind: held };
    },
    save: replace,
    lease: () => store.transaction(() => profiles.takeLease(profileId, clock.nowMs())),
    release: () => store.transaction(() => profiles.endLease(profileId)),
    end: () => replace(null),
    forget() {
      store.transaction(() => {
        credentials.forget(profileId, 'oauth-grant');
        credentials.forget(profileId, 'oauth-client');
        profiles.endLease(profileId);
      });
    },
    client() {
      const text = readSealed(credentials, profileId, 'oauth-client');
      return text === null ? null : parseClient(text);
    },
    saveClient: (client) =>
      store.transaction(() => credentials.write(profileId, 'oauth-client', serializeClient(client))),
    forgetClient: () => store.transaction(() => credentials.forget(profileId, 'oauth-client')),
  };
  return grants;
}

function readHeld(credentials: Credentials, profileId: string): StoredGrant {
  const text = readSealed(credentials, profileId, 'oauth-grant');
  const grant = text === null ? null : parseGrant(text);
  return grant === null ? { kind: 'ended' } : { kind: 'held', grant };
}

/** Null also for bytes that cannot be unsealed, because pages list such profiles too. */
function readSealed(
  credentials: Credentials,
  profileId: string,
  name: 'oauth-grant' | 'oauth-client',
): string | null {
  try {
    return credentials.read(profileId, name);
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'secret_unreadable') return null;
    throw failure;
  }
}

interface CredentialRemovalOptions {
  credentials: Credentials;
  signIn: Pick<SignInController, 'leave'>;
  endExamination(profileId: string): void;
  grantsOf(profileId: string): GrantStore;
  timeoutMs: number;
  logger: Logger;
}

export function createCredentialRemoval(options: CredentialRemovalOptions) {
  const { credentials, signIn, endExamination, grantsOf, timeoutMs, logger } = options;

  async function endSignIn({ id }: Profile): Promise<void> {
    endExamination(id);
    await signIn.leave(id);
    await grantsOf(id).runningRefresh?.catch(() => undefined);
  }

  return {
    endSignIn,
    /** Ends a running sign-in or refresh, and revokes the grant. A failing service does not make it fail. */
    async leaveService(profile: Profile): Promise<RevocationView> {
      const { mcpUrl } = profile.addresses;
      await endSignIn(profile);
      const revocation = await signOut({ mcpUrl, store: grantsOf(profile.id), timeoutMs, logger });
      // The user may have started a new sign-in during the request.
      await endSignIn(profile);
      return revocation;
    },
    /** Runs in the caller's transaction. */
    forgetCredentials(profileId: string): void {
      credentials.forget(profileId, 'member-token');
      credentials.forget(profileId, 'publisher-key');
      grantsOf(profileId).forget();
    },
  };
}
