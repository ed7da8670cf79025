import type { PillTone } from '#renderer/ui/index.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';

/** A state as a dot and a word. */
export interface StateWords {
  tone: PillTone;
  label: string;
}

const keptWords: Record<ProfileDetail['publisherKey']['state'], StateWords> = {
  none: { tone: 'neutral', label: 'Not set' },
  held: { tone: 'good', label: 'Saved' },
  'other-key': { tone: 'waiting', label: 'Cannot be opened' },
};

/** How a pasted credential stands. */
export function keptState(state: ProfileDetail['publisherKey']['state']): StateWords {
  return keptWords[state];
}

const signInWords: Record<ProfileDetail['signIn']['state'], StateWords> = {
  none: { tone: 'neutral', label: 'Not signed in' },
  held: { tone: 'good', label: 'Signed in' },
  ended: { tone: 'waiting', label: 'Sign-in ended' },
  'other-key': { tone: 'waiting', label: 'Cannot be opened' },
};

/** How the remote tools stand: by the sign-in, or by the member token that opens them for as long as it lives. */
export function remoteState({ remoteAccess, signIn, memberToken }: ProfileDetail, nowMs: number): StateWords {
  if (remoteAccess === 'oauth') return signInWords[signIn.state];
  if (memberToken.state !== 'held') return { tone: 'neutral', label: 'No member token' };
  const { expiresAtMs } = memberToken;
  return expiresAtMs !== null && expiresAtMs <= nowMs
    ? { tone: 'waiting', label: 'Token expired' }
    : { tone: 'good', label: 'Opened by the token' };
}

/** How a profile stands, in a few words for the list. */
export function standing(profile: ProfileDetail): string {
  if (profile.kind === 'demo') return 'Built in';
  const parts: string[] = [];
  if (profile.remoteAccess === 'oauth') parts.push(signInWords[profile.signIn.state].label.toLowerCase());
  if (profile.memberToken.state === 'held') parts.push('member token');
  if (profile.publisherKey.state === 'held') parts.push('publisher key');
  return parts.join(' · ');
}

/** `account 1042`, or that it is not known yet. */
export function accountWords({ account }: Pick<ProfileDetail, 'account'>): string {
  return account === '' ? 'account not known yet' : `account ${account}`;
}

/** What `other-key` means, for every kind of secret. */
export const otherKeyWords = 'Kept under the key of another session; it stays.';
