import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import type { Profile } from '#core/profiles/index.ts';
import type { GrantStore, RemoteAccess } from '#core/service-client/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';
import {
  connect,
  type Connection,
  type ConnectionsOptions,
  heldToken,
  isSignedIn,
  type Opened,
  stored,
} from './connection.ts';
import { writingOf } from './profile-state.ts';

/** Credentials of a profile's service; null for each that is not stored. For the doctor only. */
export interface ProfileCredentials {
  profile: Profile;
  access: RemoteAccess | null;
  /** The stored sign-in and its client; null where the tools are opened without one. */
  grants: Pick<GrantStore, 'load' | 'client'> | null;
  memberToken: string | null;
  publisherKey: string | null;
}

/** One connection per profile, created on first use. */
export interface Connections extends AsyncDisposable {
  /** Fails as `Profiles.open`. */
  of(profileId: string): Connection;
  /** Connection of the active profile. */
  current(): Connection;
  /** Reports the state of the active profile's service, and whether changes can be made now. Never fails. */
  look(): Promise<Pick<StatusView, 'service' | 'writing'>>;
  /** Makes the next look ask the service, however recent the last call seems: the machine slept. */
  doubt(): void;
  /** Fails as `of`, and with `secret_unreadable`. */
  credentialsOf(profileId: string): ProfileCredentials;
  /** Null where the profile has none. Fails as `of`, and with `secret_unreadable`. */
  publisherKeyOf(profileId: string): string | null;
  /** Ends waiting at shutdown: a read that waits for another try fails as its last one did. */
  endWaits(): void;
  /** Ends what was open: the profile or its credentials were replaced or removed. */
  renew(profileId: string): Promise<void>;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { profiles, clock, logger, formats } = options;
  const open = new Map<string, Opened & { stack: DisposableStack }>();
  const closing = new AbortController();

  function opened(profile: Profile): Opened {
    const found = open.get(profile.id);
    // The account and the name may change under a connection; its addresses never do.
    if (found !== undefined) Object.assign(found.connection, { profile });
    if (found !== undefined) return found;
    const stack = new DisposableStack();
    const made = { ...connect(profile, options, { stack, closing: closing.signal }), stack };
    open.set(profile.id, made);
    return made;
  }

  const of = (profileId: string): Connection => opened(profiles.open(profileId)).connection;

  async function end(profileId: string): Promise<void> {
    const found = open.get(profileId);
    open.delete(profileId);
    await found?.stack.dispose().catch((failure: unknown) => {
      logger.warn({ failure, profileId }, 'A connection did not end well');
    });
  }

  return {
    of,
    current: () => of(profiles.current().id),
    async look() {
      const profile = profiles.current();
      const memberToken = heldToken(profile, options);
      const isDemo = profile.kind === 'demo';
      const facts = { memberToken, isDemo, nowMs: clock.nowMs() };
      if (memberToken !== 'held') {
        const service = signedOut;
        return {
          service,
          writing: writingOf({ ...facts, service: service.state, answeredAtMs: null }, formats()),
        };
      }
      const { connection, probe } = opened(profile);
      const service = await connection.state.look(probe);
      const answeredAtMs = connection.state.answeredAtMs();
      return { service, writing: writingOf({ ...facts, service: service.state, answeredAtMs }, formats()) };
    },
    doubt() {
      for (const { connection } of open.values()) connection.state.doubt();
    },
    credentialsOf(profileId) {
      const profile = profiles.open(profileId);
      const memberToken = stored(profile, options, 'member-token');
      return {
        profile,
        access: isSignedIn(profile, options) ? of(profileId).access : null,
        grants:
          profile.id === 'demo' || profile.remoteAccess !== 'oauth' ? null : options.grantsOf(profileId),
        memberToken,
        publisherKey: stored(profile, options, 'publisher-key'),
      };
    },
    publisherKeyOf: (profileId) => stored(profiles.open(profileId), options, 'publisher-key'),
    endWaits: () => closing.abort(),
    renew: end,
    async dispose() {
      closing.abort();
      await Promise.all([...open.keys()].map(end));
    },
  };
}

/** State without a sign-in: no service is asked. */
const signedOut = { state: 'signed-out', latencyMs: null, checkedAtMs: null, retryAtMs: null } as const;
