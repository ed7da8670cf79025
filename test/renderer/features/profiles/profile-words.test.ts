import { expect, test } from 'vitest';
import { accountWords, remoteState, profileSummary } from '#renderer/features/profiles/profile-words.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
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
])('tools that are %s say so', (_how, change, label) => {
  expect(remoteState(liveProfile(change), 1_000).label).toBe(label);
});

test('the list says by what a profile is opened', () => {
  expect(profileSummary(demoProfile())).toBe('Built in');
  const whole = liveProfile({ ...signIn('held'), memberToken: held, publisherKey: { state: 'held' } });
  expect(profileSummary(whole)).toBe('signed in · member token · publisher key');
  expect(profileSummary(liveProfile({ remoteAccess: 'direct-jwt', memberToken: held }))).toBe('member token');
  expect(accountWords(liveProfile({ account: '' }))).toBe('account not known yet');
});
