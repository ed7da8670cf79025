import type { Clock } from '#core/platform/clock.ts';
import { type Credentials, type Held, type Profile, type Profiles, viewOf } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import type { ProfileDetail, StatusView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { tokenExpiry } from './pasted-credential.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Facts that decide whether changes can be made now. */
export interface WritingFacts {
  service: StatusView['service']['state'];
  /** The member token, which every change needs. */
  memberToken: Held;
  /** The embedded service gives its own token: no person has one to add. */
  isDemo: boolean;
  /** Time of the service's last answer; null if it never answered. */
  answeredAtMs: number | null;
  nowMs: number;
}

/** Returns whether changes can be made now; if not, the reason and the remedy. */
export function writingOf(
  { service, memberToken, isDemo, answeredAtMs, nowMs }: WritingFacts,
  formats: Formats,
): StatusView['writing'] {
  if (memberToken === 'none') {
    return off('This profile has no member token yet.', 'Add one on the Profiles page.');
  }
  if (memberToken === 'other-key') {
    return off(
      'The member token of this profile was kept under the key of another session.',
      'Add it again on the Profiles page.',
    );
  }
  if (service === 'unreachable') {
    const since =
      answeredAtMs === null
        ? 'not answered yet'
        : `not answered since ${formats.shortMoment(answeredAtMs, nowMs)}`;
    return off(`The service has ${since}.`, 'Changes are off until it is back; Countersign keeps asking.');
  }
  if (service === 'signed-out') {
    return off(
      'The service does not take the member token: it is wrong or has expired.',
      isDemo ? 'Countersign keeps asking.' : 'Replace it on the Profiles page.',
    );
  }
  return { off: null };
}

function off(because: string, next: string): StatusView['writing'] {
  return { off: { because, next } };
}

export interface DetailOptions {
  profiles: Pick<Profiles, 'stopped'>;
  credentials: Credentials;
  grantsOf(profileId: string): GrantStore;
  clock: Clock;
}

/** Returns a profile with the state of its credentials. Contains no credential. */
export function profileDetail(profile: Profile, options: DetailOptions): ProfileDetail {
  const { addresses, remoteAccess } = profile;
  const failure = options.profiles.stopped(profile);
  const stopped = failure && { message: failure.message, next: failure.next };
  return { ...viewOf(profile), addresses, remoteAccess, stopped, ...stateOf(profile, options) };
}

type CredentialState = Pick<ProfileDetail, 'signIn' | 'memberToken' | 'publisherKey'>;

function stateOf(profile: Profile, options: DetailOptions): CredentialState {
  if (profile.kind === 'demo') return openedByItsOwner;
  const memberToken = memberTokenState(profile, options);
  return {
    signIn:
      profile.remoteAccess === 'oauth' ? grantState(profile, options) : directState(memberToken, options),
    memberToken,
    publisherKey: { state: opened(profile, options, 'publisher-key').state },
  };
}

/** State of Demo's credentials, which its owner provides. */
const openedByItsOwner: CredentialState = {
  signIn: { state: 'held', scopes: [], signedInAtMs: null },
  memberToken: { state: 'held', expiresAtMs: null },
  publisherKey: { state: 'held' },
};

function memberTokenState(profile: Profile, options: DetailOptions): CredentialState['memberToken'] {
  const { state, value } = opened(profile, options, 'member-token');
  return { state, expiresAtMs: value === null ? null : tokenExpiry(value) };
}

function grantState({ id }: Profile, { grantsOf }: DetailOptions): CredentialState['signIn'] {
  const held = grantsOf(id).load();
  if (held.kind !== 'held') return { state: held.kind, scopes: [], signedInAtMs: null };
  const { scopes, signedInAtMs } = held.grant;
  return { state: 'held', scopes: [...scopes], signedInAtMs };
}

/** Contract §5.3, direct JWT mode: the member token is the access, for as long as it lives. */
function directState(
  { state, expiresAtMs }: CredentialState['memberToken'],
  { clock }: DetailOptions,
): CredentialState['signIn'] {
  const ended = expiresAtMs !== null && expiresAtMs <= clock.nowMs();
  return { state: ended ? 'ended' : state, scopes: [], signedInAtMs: null };
}

/** Returns what opens. Bytes that do not open count as sealed by another session: a person has to paste again. */
export function opened(
  { id }: Profile,
  { credentials }: DetailOptions,
  name: 'member-token' | 'publisher-key',
): { state: Held; value: string | null } {
  try {
    return { state: credentials.held(id, name), value: credentials.read(id, name) };
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'secret_unreadable') throw failure;
    return { state: 'other-key', value: null };
  }
}
