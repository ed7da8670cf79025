import { expect, onTestFinished, test } from 'vitest';
import { openAppStore, type StoredProfile } from '#core/store/app/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const profile: StoredProfile = {
  id: 'p',
  name: 'Before',
  account: '',
  zone: 'UTC',
  baseUrl: 'http://127.0.0.1:1/api/v1',
  apiUrl: 'http://127.0.0.1:1',
  mcpUrl: 'http://127.0.0.1:1',
  remoteAccess: 'oauth',
  createdAtMs: 1,
};

function open() {
  const store = openAppStore({ folder: tempFolder(), clock: createManualClock(), logger: silentLogger });
  store.transaction(() => store.profiles.insert(profile));
  return store;
}

test('a row that is asked for again is the one that was read, until something is written', () => {
  const store = open();
  onTestFinished(() => store.dispose());
  const { profiles } = store;
  expect(profiles.find('p')).toEqual(profile);
  expect(profiles.find('p')).toBe(profiles.find('p'));
  store.transaction(() => profiles.update({ ...profile, name: 'After' }));
  expect(profiles.find('p')?.name).toBe('After');
  store.transaction(() => profiles.remove('p'));
  expect(profiles.find('p')).toBeNull();
  store.transaction(() => profiles.insert(profile));
  expect(profiles.find('p')).toEqual(profile);
});

test('what a transaction wrote is seen within it, and by nobody once it was rolled back', () => {
  const store = open();
  onTestFinished(() => store.dispose());
  const { profiles } = store;
  expect(profiles.find('p')?.name).toBe('Before');
  const failing = (): void =>
    store.transaction(() => {
      profiles.update({ ...profile, name: 'Never' });
      expect(profiles.find('p')?.name).toBe('Never');
      throw new Error('No');
    });
  expect(failing).toThrow();
  expect(profiles.find('p')?.name).toBe('Before');
});

test('a remembered row cannot be changed by whoever reads it', () => {
  const store = open();
  onTestFinished(() => store.dispose());
  const found = store.profiles.find('p') as StoredProfile;
  expect(() => (found.name = 'Changed')).toThrow(TypeError);
});
