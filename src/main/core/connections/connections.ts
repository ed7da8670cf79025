import type { AppStore } from '#core/store/app/index.ts';
import { type AsyncDisposable, DisposableStack } from '#core/platform/disposable.ts';
import {
  type Credentials,
  type Held,
  type Profile,
  type Profiles,
  isSameService,
} from '#core/profiles/index.ts';
import {
  type CampaignReader,
  type GrantStore,
  type MemberClient,
  type PublisherClient,
  type RemoteAccess,
  type RemoteClient,
  createAccess,
  createCampaignTools,
  createMemberClient,
  createPublisherClient,
  createRemoteClient,
  type ProtocolMemory,
} from '#core/service-client/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';
import { type ServiceState, createServiceState, writingOf } from './profile-state.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { type Clocks, type ServiceMoment, serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface Connection {
  profile: Profile;
  member: MemberClient;
  /** Reads campaigns over REST (contract §4.1), or with the read tools if the profile has no member token. */
  campaigns: CampaignReader;
  publisher: PublisherClient;
  remote: RemoteClient;
  access: RemoteAccess;
  state: ServiceState;
  clocks(): Clocks;
  today(): ServiceMoment;
}

/** Credentials for the embedded service, which only its owner can issue, never a person. */
export interface DemoCredentials {
  memberToken(): string;
  publisherKey(): string;
  access: RemoteAccess;
}

interface ConnectionsOptions {
  profiles: Profiles;
  credentials: Credentials;
  demo: DemoCredentials;
  grantsOf(profileId: string): GrantStore;
  settings: AppStore['settings'];
  timeoutMs: number;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  logger: Logger;
  onState(profileId: string): void;
  onReturn(profileId: string): void;
  onGrant(profileId: string): void;
  formats(): Formats;
}

interface Opened {
  connection: Connection;
  probe: Pick<MemberClient, 'list'>;
}

/** Creates the clients of a profile's service. They end with `stack`. Waits for another attempt also end with `closing`. */
function connect(
  profile: Profile,
  options: ConnectionsOptions,
  { stack, closing }: { stack: DisposableStack; closing: AbortSignal },
): Opened {
  const { clock, serviceClock, logger, timeoutMs, onState, onReturn } = options;
  const { baseUrl, apiUrl, mcpUrl } = profile.addresses;
  const state = createServiceState({
    clock,
    onChange: () => onState(profile.id),
    onReturn: () => onReturn(profile.id),
  });
  const ended = new AbortController();
  stack.defer(() => ended.abort());
  const pauses = {
    clock,
    random: Math.random,
    onWait: state.waits,
    ended: AbortSignal.any([ended.signal, closing]),
  };
  const memberToken = async (): Promise<string> => credential(profile, options, 'member-token');
  const publisherKey = async (): Promise<string> => credential(profile, options, 'publisher-key');
  const shared = { timeoutMs, logger };
  const access = accessOf(profile, options, memberToken);
  const member = { ...shared, baseUrl, token: memberToken, observe: state.observe };
  const remote = { ...shared, mcpUrl, access, pauses, protocol: protocolMemory(profile, options) };
  const memberClient = createMemberClient({ ...member, pauses });
  const remoteClient = stack.use(createRemoteClient(remote));
  const connection: Connection = {
    profile,
    member: memberClient,
    campaigns: eitherOf(() => heldToken(profile, options) === 'held', {
      yes: memberClient,
      no: createCampaignTools(remoteClient),
    }),
    publisher: createPublisherClient({ ...shared, apiUrl, token: publisherKey, pauses }),
    remote: remoteClient,
    access,
    state,
    clocks: () => ({ nowMs: serviceClock.nowMs(), serviceZone: connection.profile.zone }),
    today: () => serviceDay(serviceClock.nowMs(), connection.profile.zone),
  };
  return { connection, probe: createMemberClient(member) };
}

/**
 * The setting that contains the address of a service with an older
 * MCP revision, so that a start need not probe for the newest one.
 */
export function olderServiceSetting(profileId: string): string {
  return `olderMcp.${profileId}`;
}

function protocolMemory({ id, addresses }: Profile, { settings }: ConnectionsOptions): ProtocolMemory {
  const key = olderServiceSetting(id);
  return {
    read: () => (settings.get(key) === addresses.mcpUrl ? 'initialized' : null),
    write(protocol) {
      if (protocol === 'initialized') settings.set(key, addresses.mcpUrl);
      else if (settings.get(key) !== null) settings.remove(key);
    },
  };
}

/** Chooses the client again for every read, because a credential may be added or removed during a connection. */
function eitherOf(
  isCurrent: () => boolean,
  { yes, no }: { yes: CampaignReader; no: CampaignReader },
): CampaignReader {
  const reader = (): CampaignReader => (isCurrent() ? yes : no);
  return {
    list: (params, signal) => reader().list(params, signal),
    get: (cid, signal) => reader().get(cid, signal),
  };
}

type Pasted = 'member-token' | 'publisher-key';

function stored({ id }: Profile, { demo, credentials }: ConnectionsOptions, name: Pasted): string | null {
  if (id === 'demo') return name === 'member-token' ? demo.memberToken() : demo.publisherKey();
  return credentials.read(id, name);
}

function heldToken({ id }: Profile, { credentials }: ConnectionsOptions): Held {
  return id === 'demo' ? 'held' : credentials.held(id, 'member-token');
}

function credential(profile: Profile, options: ConnectionsOptions, name: Pasted): string {
  assertSameService(profile, options);
  const found = stored(profile, options, name);
  if (found === null) throw new AppError('credential_missing', { message: missing[name] });
  return found;
}

/** The credential or the policy may have changed during a call. Fails with `profile_changed`, or as `Profiles.open` does. */
function assertSameService({ id, addresses }: Profile, { profiles }: ConnectionsOptions): void {
  if (!isSameService(profiles.open(id).addresses, addresses)) throw new AppError('profile_changed');
}

function isSignedIn(profile: Profile, options: ConnectionsOptions): boolean {
  if (profile.id === 'demo') return true;
  if (profile.remoteAccess === 'direct-jwt') return stored(profile, options, 'member-token') !== null;
  return options.grantsOf(profile.id).load().kind === 'held';
}

/** A read with the member token may have changed the profile's account since the sign-in. Fails with `account_changed`. */
function assertOwnAccount(store: Pick<GrantStore, 'load'>, { account }: Profile): void {
  const signedIn = signedInAccount(store);
  if (signedIn === null || account === '' || signedIn === account) return;
  throw new AppError('account_changed', {
    message: sentence`The sign-in is to account ${signedIn}, but this profile is of account ${account}. Nothing was sent.`,
  });
}

/** The account of the stored grant. Null without a grant, or if the service did not report the account. */
export function signedInAccount(store: Pick<GrantStore, 'load'>): string | null {
  const held = store.load();
  return held.kind === 'held' ? held.grant.account : null;
}

const missing = {
  'member-token': 'This profile has no member token yet.',
  'publisher-key': 'This profile has no publisher key yet.',
} as const;

function accessOf(
  profile: Profile,
  options: ConnectionsOptions,
  memberToken: () => Promise<string>,
): RemoteAccess {
  const { profiles, demo, grantsOf, clock, logger, timeoutMs, onGrant } = options;
  if (profile.id === 'demo') return demo.access;
  if (profile.remoteAccess === 'direct-jwt') {
    // The member token is rotated by hand, so a refused token cannot be renewed here.
    return { token: memberToken, renew: () => Promise.reject(new AppError('unauthenticated')) };
  }
  const { mcpUrl } = profile.addresses;
  const store = grantsOf(profile.id);
  const own = (token: string): string => {
    assertOwnAccount(store, profiles.get(profile.id));
    return token;
  };
  const onChange = (): void => onGrant(profile.id);
  const access = createAccess({ mcpUrl, store, clock, logger, timeoutMs, onChange });
  return {
    async token() {
      assertSameService(profile, options);
      return own(await access.token());
    },
    async renew(refused) {
      assertSameService(profile, options);
      return own(await access.renew(refused));
    },
  };
}

/** The credentials of a profile's service; null for each that is not stored. Only for the doctor. */
interface ProfileCredentials {
  profile: Profile;
  access: RemoteAccess | null;
  grants: Pick<GrantStore, 'load' | 'client'> | null;
  memberToken: string | null;
  publisherKey: string | null;
}

export interface Connections extends AsyncDisposable {
  /** Fails as `Profiles.open` does. */
  of(profileId: string): Connection;
  /**
   * The remote tools of a profile. Returns an open client without checking profile and policy, because each request of the
   * client checks both. Fails as `of` does if no client is open.
   */
  remoteOf(profileId: string): RemoteClient;
  current(): Connection;
  /** The state of the active profile's service, and whether changes can be made now. Never fails. */
  look(): Promise<Pick<StatusView, 'service' | 'writing'>>;
  /** Makes the next `look` ask the service, even if its last answer seems recent. Call it after the machine slept. */
  invalidate(): void;
  /** Fails as `of` does, and with `secret_unreadable`. */
  credentialsOf(profileId: string): ProfileCredentials;
  /** Null if the profile has no key. Fails as `of` does, and with `secret_unreadable`. */
  publisherKeyOf(profileId: string): string | null;
  /** Ends all waits for another attempt, at shutdown. The waiting reads fail with the failure of their last attempt. */
  endWaits(): void;
  renew(profileId: string): Promise<void>;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { profiles, clock, logger, formats } = options;
  const open = new Map<string, Opened & { stack: DisposableStack }>();
  const closing = new AbortController();

  function opened(profile: Profile): Opened {
    const found = open.get(profile.id);
    // The account and name of a profile may change while its connection is open. Its addresses never do.
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
    remoteOf: (profileId) => (open.get(profileId)?.connection ?? of(profileId)).remote,
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
    invalidate() {
      for (const { connection } of open.values()) connection.state.invalidate();
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

const signedOut = { state: 'signed-out', latencyMs: null, checkedAtMs: null, retryAtMs: null } as const;
