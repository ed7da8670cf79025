import { expect, test } from 'vitest';
import { forgetsCredentials, inputOf } from '#renderer/features/profiles/profile-words.ts';
import { liveProfile } from '#test/renderer/support/profile.ts';

const signedIn = liveProfile({ signIn: { state: 'held', scopes: ['svc:read'], signedInAtMs: 0 } });

test('the form of a profile begins with what is stored', () => {
  const { addresses, name, zone, remoteAccess } = signedIn;
  expect(inputOf(signedIn)).toEqual({ name, zone, remoteAccess, ...addresses });
});

test('other addresses forget the credentials of a profile that has any', () => {
  const elsewhere = { ...inputOf(signedIn), apiUrl: 'https://other.example' };
  expect(forgetsCredentials(signedIn, elsewhere)).toBe(true);
  expect(forgetsCredentials(liveProfile(), elsewhere)).toBe(false);
  const sealed = liveProfile({ publisherKey: { state: 'other-key' } });
  expect(forgetsCredentials(sealed, elsewhere)).toBe(true);
});

test('another name or zone, a space or a slash at the end of an address forgets nothing', () => {
  const input = { ...inputOf(signedIn), name: 'Other', zone: 'Europe/Berlin' };
  const spaced = { ...input, mcpUrl: ` ${input.mcpUrl}/`, baseUrl: `${input.baseUrl}/` };
  expect(forgetsCredentials(signedIn, spaced)).toBe(false);
});
