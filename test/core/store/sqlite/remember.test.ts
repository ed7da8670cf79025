import { expect, onTestFinished, test } from 'vitest';
import { openAppStore, type StoredAgent } from '#core/store/app/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';

const agent: StoredAgent = {
  ...admittedAgent,
  id: 'a',
  scopes: ['svc:read'],
  grantId: 'before',
  lastSeenAtMs: 1,
};

function open() {
  const store = openAppStore({ folder: tempFolder(), clock: createManualClock(), logger: silentLogger });
  store.transaction(() => store.agents.insert(agent));
  onTestFinished(() => store.dispose());
  return store;
}

test('a row that is asked for again is the one that was read, until something is written', () => {
  const { agents, transaction } = open();
  expect(agents.find('a')).toEqual(agent);
  expect(agents.find('a')).toBe(agents.find('a'));
  transaction(() => agents.seen('a', { grantId: 'after', atMs: 2 }));
  expect(agents.find('a')).toMatchObject({ grantId: 'after', lastSeenAtMs: 2 });
  transaction(() => agents.end('a', { atMs: 3, because: 'revoked' }));
  expect(agents.find('a')).toMatchObject({ endedAtMs: 3, endedBecause: 'revoked' });
  expect(agents.find('b')).toBeNull();
  transaction(() => agents.insert({ ...agent, id: 'b' }));
  expect(agents.find('b')).toEqual({ ...agent, id: 'b' });
});

test('writes of a transaction are visible within it, and not after a rollback', () => {
  const { agents, transaction } = open();
  expect(agents.find('a')?.endedAtMs).toBeNull();
  const failing = (): void =>
    transaction(() => {
      agents.end('a', { atMs: 3, because: 'revoked' });
      expect(agents.find('a')?.endedAtMs).toBe(3);
      throw new Error('No');
    });
  expect(failing).toThrow();
  expect(agents.find('a')?.endedAtMs).toBeNull();
});

test('a remembered row cannot be changed by its readers', () => {
  const found = open().agents.find('a') as StoredAgent;
  expect(() => (found.name = 'Changed')).toThrow(TypeError);
});

const profile = {
  id: 'p',
  name: 'Live',
  account: '',
  zone: 'UTC',
  baseUrl: 'https://a.example/api',
  apiUrl: 'https://a.example',
  mcpUrl: 'https://a.example',
  remoteAccess: 'oauth',
  createdAtMs: 1,
} as const;

test('a setting, a secret or a profile that was missing is found once it is written, and changed with every write', () => {
  const { settings, secrets, profiles, transaction } = open();
  expect([settings.get('s'), secrets.get('p', 's'), profiles.find('p')]).toEqual([null, null, null]);
  transaction(() => {
    settings.set('s', 'one');
    secrets.set('p', 's', Buffer.from('one'));
    profiles.insert(profile);
  });
  expect(settings.get('s')).toBe('one');
  expect(secrets.get('p', 's')?.toString()).toBe('one');
  expect(profiles.find('p')).toEqual(profile);
  transaction(() => {
    settings.set('s', 'two');
    secrets.set('p', 's', Buffer.from('two'));
    profiles.update({ ...profile, account: '7' });
  });
  expect(settings.get('s')).toBe('two');
  expect(secrets.get('p', 's')?.toString()).toBe('two');
  expect(profiles.find('p')?.account).toBe('7');
  transaction(() => {
    settings.remove('s');
    secrets.remove('p', 's');
    profiles.remove('p');
  });
  expect([settings.get('s'), secrets.get('p', 's'), profiles.find('p')]).toEqual([null, null, null]);
});

test('rows with other keys that look alike when joined are kept apart', () => {
  const { secrets, transaction } = open();
  transaction(() => {
    secrets.set('p a', 'b', Buffer.from('one'));
    secrets.set('p', 'a b', Buffer.from('two'));
  });
  expect(secrets.get('p a', 'b')?.toString()).toBe('one');
  expect(secrets.get('p', 'a b')?.toString()).toBe('two');
});
