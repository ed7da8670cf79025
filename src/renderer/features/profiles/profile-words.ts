import type { PillTone } from '#renderer/ui/index.ts';
import type {
  ExtraScope,
  ProfileDetail,
  ProfileInput,
  RevocationView,
  ServiceAddresses,
} from '#shared/app-api/index.ts';

export interface StateWords {
  tone: PillTone;
  label: string;
}

export const credentialWords: Record<ProfileDetail['publisherKey']['state'], StateWords> = {
  none: { tone: 'neutral', label: 'Not set' },
  held: { tone: 'good', label: 'Saved' },
  'other-key': { tone: 'waiting', label: 'Cannot be opened' },
};

const signInWords: Record<ProfileDetail['signIn']['state'], StateWords> = {
  none: { tone: 'neutral', label: 'Not signed in' },
  held: { tone: 'good', label: 'Signed in' },
  ended: { tone: 'waiting', label: 'Sign-in ended' },
  'other-key': { tone: 'waiting', label: 'Cannot be opened' },
};

export function remoteState({ remoteAccess, signIn, memberToken }: ProfileDetail, nowMs: number): StateWords {
  if (remoteAccess === 'oauth') return signInWords[signIn.state];
  if (memberToken.state !== 'held') return { tone: 'neutral', label: 'No member token' };
  const { expiresAtMs } = memberToken;
  return expiresAtMs !== null && expiresAtMs <= nowMs
    ? { tone: 'waiting', label: 'Token expired' }
    : { tone: 'good', label: 'Opened by the token' };
}

export function profileSummary(profile: ProfileDetail): string {
  if (profile.kind === 'demo') return 'Built in';
  const parts: string[] = [];
  if (profile.remoteAccess === 'oauth') parts.push(signInWords[profile.signIn.state].label.toLowerCase());
  if (profile.memberToken.state === 'held') parts.push('member token');
  if (profile.publisherKey.state === 'held') parts.push('publisher key');
  return parts.join(' · ');
}

export function accountWords({ account }: Pick<ProfileDetail, 'account'>): string {
  return account === '' ? 'account not known yet' : `account ${account}`;
}

export const otherKeyWords = 'Saved with the key of another session; it stays.';

const signOutTitles: Record<RevocationView, string> = {
  revoked: 'Signed out. The service revoked the access.',
  none: 'Signed out. Everything was forgotten on this computer.',
  ended: 'Signed out here. The sign-in had ended, so the service was not asked to revoke it.',
  'other-key': 'Signed out here. The sign-in cannot be opened, so the service was not asked to revoke it.',
  'other-server': 'Signed out here. The service has another sign-in server now, which was not asked.',
  'not-offered': 'Signed out here. The service offers no way to revoke the access.',
  unconfirmed: 'Signed out here. The service did not confirm it.',
};

/** `isSafe`: the app has no access to the service any more. */
export function signOutWords(revocation: RevocationView): { title: string; isSafe: boolean } {
  return { title: signOutTitles[revocation], isSafe: revocation === 'revoked' || revocation === 'none' };
}

const shortMs = 3_600_000;

const minuteMs = 60_000;

export interface Expiry {
  kind: 'unknown' | 'later' | 'soon' | 'past';
  words: string;
}

/** `momentText` formats a time, for example `24 Nov, 14:02`. */
export function expiryOf(
  expiresAtMs: number | null,
  nowMs: number,
  momentText: (atMs: number, nowMs: number) => string,
): Expiry {
  if (expiresAtMs === null) return { kind: 'unknown', words: 'The token does not say when it expires.' };
  const leftMs = expiresAtMs - nowMs;
  const at = momentText(expiresAtMs, nowMs);
  if (leftMs <= 0) return { kind: 'past', words: `Expired at ${at}. Paste a new one.` };
  if (leftMs > shortMs) return { kind: 'later', words: `Expires at ${at}.` };
  const minutes = Math.max(1, Math.floor(leftMs / minuteMs));
  return { kind: 'soon', words: `Expires in ${minutes} min, at ${at}. Have a new one ready.` };
}

/** Scopes that a user can add to read access (contract §5.3). */
export const scopeChoices: readonly { scope: ExtraScope; label: string; means: string }[] = [
  {
    scope: 'svc:write',
    label: 'Propose changes through tools',
    means: 'Each change still waits for your own confirmation in Countersign.',
  },
  {
    scope: 'svc:upload',
    label: 'Upload pictures',
    means: 'Together with changes only; uploads wait for your confirmation too.',
  },
  {
    scope: 'offline_access',
    label: 'Scheduled tasks',
    means: 'Tasks stay with the service while Countersign is closed.',
  },
];

export function missingScopes(granted: readonly string[]): ExtraScope[] {
  return scopeChoices.map(({ scope }) => scope).filter((scope) => !granted.includes(scope));
}

/** Uploads require changes: choosing uploads adds changes unless they are granted, and removing changes removes uploads. */
export function withScope(
  chosen: readonly ExtraScope[],
  { scope, on, granted }: { scope: ExtraScope; on: boolean; granted: readonly string[] },
): ExtraScope[] {
  const next = new Set(chosen);
  if (on) next.add(scope);
  else next.delete(scope);
  if (scope === 'svc:upload' && on && !granted.includes('svc:write')) next.add('svc:write');
  if (scope === 'svc:write' && !on) next.delete('svc:upload');
  return scopeChoices.map((choice) => choice.scope).filter((known) => next.has(known));
}

const addressFields = ['baseUrl', 'apiUrl', 'mcpUrl'] as const satisfies (keyof ServiceAddresses)[];

export const emptyInput: ProfileInput = {
  name: '',
  baseUrl: '',
  apiUrl: '',
  mcpUrl: '',
  zone: 'UTC',
  remoteAccess: 'oauth',
};

export function inputOf({ name, zone, remoteAccess, addresses }: ProfileDetail): ProfileInput {
  return { name, zone, remoteAccess, ...addresses };
}

const plain = (address: string): string => address.trim().replace(/\/+$/u, '');

/** True if the new addresses belong to another service. The profile then starts without credentials. */
export function forgetsCredentials(profile: ProfileDetail, input: ProfileInput): boolean {
  return (
    hasCredentials(profile) &&
    addressFields.some((field) => plain(input[field]) !== plain(profile.addresses[field]))
  );
}

export function hasCredentials({ signIn, memberToken, publisherKey }: ProfileDetail): boolean {
  return [signIn, memberToken, publisherKey].some(({ state }) => state !== 'none');
}
