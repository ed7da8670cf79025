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

test('a row that is read again is the cached one, until something is written', () => {
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

test('writes of a transaction are visible within it and not after a rollback', () => {
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

test('a cached row cannot be changed by its readers', () => {
  const found = open().agents.find('a') as StoredAgent;
  expect(() => (found.name = 'Changed')).toThrow(TypeError);
});
