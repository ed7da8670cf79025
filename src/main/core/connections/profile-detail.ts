import type { Clock } from '#core/platform/clock.ts';
import { viewOf, type Credentials, type Held, type Profile } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { tokenExpiry } from './token-expiry.ts';

export interface DetailOptions {
  credentials: Credentials;
  grantsOf(profileId: string): GrantStore;
  clock: Clock;
}

/** A profile with the state of what opens it. No credential leaves with it. */
export function profileDetail(profile: Profile, options: DetailOptions): ProfileDetail {
  const { addresses, remoteAccess } = profile;
  return { ...viewOf(profile), addresses, remoteAccess, ...stateOf(profile, options) };
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

/** Of Demo nothing is pasted and nobody signs in. */
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

/** Bytes that do not open any more are of no use either: a person has to paste anew, as for another session's key. */
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
