import { describe, expect, test } from 'vitest';
import {
  accountWords,
  expiryOf,
  forgetsCredentials,
  inputOf,
  missingScopes,
  profileSummary,
  remoteState,
  signOutWords,
  withScope,
} from '#renderer/features/profiles/profile-words.ts';
import type { ExtraScope, ProfileDetail, RevocationView } from '#shared/app-api/index.ts';
import { demoProfile, liveProfile } from '#test/renderer/support/profile.ts';

const held = { state: 'held', expiresAtMs: null } as const;
const until = (expiresAtMs: number) => ({ state: 'held', expiresAtMs }) as const;
const signIn = (state: ProfileDetail['signIn']['state']): Partial<ProfileDetail> => ({
  signIn: { state, scopes: [], signedInAtMs: null },
});

test.each<[string, Partial<ProfileDetail>, string]>([
  ['not signed in', {}, 'Not signed in'],
  ['signed in', signIn('held'), 'Signed in'],
  ['ended', signIn('ended'), 'Sign-in ended'],
  ['sealed by another session', signIn('other-key'), 'Cannot be opened'],
  ['without a member token', { remoteAccess: 'direct-jwt' }, 'No member token'],
  ['opened by the token', { remoteAccess: 'direct-jwt', memberToken: held }, 'Opened by the token'],
  [
    'opened by a token that lives',
    { remoteAccess: 'direct-jwt', memberToken: until(1_001) },
    'Opened by the token',
  ],
  [
    'shut since the token expired',
    { remoteAccess: 'direct-jwt', memberToken: until(1_000) },
    'Token expired',
  ],
])('remote tools that are %s have their own label', (_how, change, label) => {
  expect(remoteState(liveProfile(change), 1_000).label).toBe(label);
});

test('the list names the credentials of each profile', () => {
  expect(profileSummary(demoProfile())).toBe('Built in');
  const whole = liveProfile({ ...signIn('held'), memberToken: held, publisherKey: { state: 'held' } });
  expect(profileSummary(whole)).toBe('signed in · member token · publisher key');
  expect(profileSummary(liveProfile({ remoteAccess: 'direct-jwt', memberToken: held }))).toBe('member token');
  expect(accountWords(liveProfile({ account: '' }))).toBe('account not known yet');
});

test.each<[RevocationView, boolean, RegExp]>([
  ['revoked', true, /revoked the access/],
  ['none', true, /forgotten/],
  ['ended', false, /not asked/],
  ['other-key', false, /not asked/],
  ['other-server', false, /not asked/],
  ['not-offered', false, /no way to revoke/],
  ['unconfirmed', false, /did not confirm/],
])('a sign-out reports whether the access was revoked: %s', (revocation, isSafe, words) => {
  expect(signOutWords(revocation)).toEqual({ title: expect.stringMatching(words) as string, isSafe });
});

const minute = 60_000;
const at = (ms: number): string => `t+${ms / minute}`;

test.each<[number | null, string, string]>([
  [null, 'unknown', 'The token does not say when it expires.'],
  [61 * minute, 'later', 'Expires at t+61.'],
  [60 * minute, 'soon', 'Expires in 60 min, at t+60. Have a new one ready.'],
  [minute / 2, 'soon', 'Expires in 1 min, at t+0.5. Have a new one ready.'],
  [0, 'past', 'Expired at t+0. Paste a new one.'],
  [-minute, 'past', 'Expired at t+-1. Paste a new one.'],
])('a token that expires at %s is %s', (expiresAtMs, kind, words) => {
  expect(expiryOf(expiresAtMs, 0, at)).toEqual({ kind, words });
});

test('granted scopes are not offered again', () => {
  expect(missingScopes([])).toEqual(['svc:write', 'svc:upload', 'offline_access']);
  expect(missingScopes(['svc:read', 'svc:write'])).toEqual(['svc:upload', 'offline_access']);
});

describe('uploads go together with changes', () => {
  const choose = (chosen: ExtraScope[], scope: ExtraScope, on: boolean, granted: string[] = []): string[] =>
    withScope(chosen, { scope, on, granted });

  test('ticking uploads ticks changes, unless they are granted already', () => {
    expect(choose([], 'svc:upload', true)).toEqual(['svc:write', 'svc:upload']);
    expect(choose([], 'svc:upload', true, ['svc:write'])).toEqual(['svc:upload']);
  });

  test('clearing changes clears uploads, and nothing else', () => {
    expect(choose(['svc:write', 'svc:upload', 'offline_access'], 'svc:write', false)).toEqual([
      'offline_access',
    ]);
    expect(choose(['svc:write', 'svc:upload'], 'svc:upload', false)).toEqual(['svc:write']);
  });
});

const signedIn = liveProfile({ signIn: { state: 'held', scopes: ['svc:read'], signedInAtMs: 0 } });

test('the form of a profile begins with what is stored', () => {
  const { addresses, name, zone, remoteAccess } = signedIn;
  expect(inputOf(signedIn)).toEqual({ name, zone, remoteAccess, ...addresses });
});

test('different addresses remove the credentials of a profile', () => {
  const elsewhere = { ...inputOf(signedIn), apiUrl: 'https://other.example' };
  expect(forgetsCredentials(signedIn, elsewhere)).toBe(true);
  expect(forgetsCredentials(liveProfile(), elsewhere)).toBe(false);
  const sealed = liveProfile({ publisherKey: { state: 'other-key' } });
  expect(forgetsCredentials(sealed, elsewhere)).toBe(true);
});

test('a new name or zone, or a trailing space or slash in an address, keeps the credentials', () => {
  const input = { ...inputOf(signedIn), name: 'Other', zone: 'Europe/Berlin' };
  const spaced = { ...input, mcpUrl: ` ${input.mcpUrl}/`, baseUrl: `${input.baseUrl}/` };
  expect(forgetsCredentials(signedIn, spaced)).toBe(false);
});
