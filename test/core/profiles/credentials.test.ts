import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer, type Credentials } from '#core/profiles/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

async function session<T>(folder: string, key: Buffer, work: (credentials: Credentials) => T): Promise<T> {
  const store = openAppStore({ folder, clock, logger });
  try {
    return work(createCredentials({ store, sealer: createSealer(key) }));
  } finally {
    await store.dispose();
  }
}

test('a pasted credential is never on disk in plain text, and belongs to one profile and one name', async () => {
  const folder = tempFolder();
  const key = randomBytes(32);
  await session(folder, key, (credentials) => {
    credentials.write('p1', 'member-token', 'planted-token-81723');
    credentials.write('p1', 'member-token', 'planted-token-99110');
    expect(credentials.read('p1', 'member-token')).toBe('planted-token-99110');
    expect(credentials.read('p1', 'publisher-key')).toBeNull();
    expect(credentials.held('p2', 'member-token')).toBe('none');
  });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const bytes = readFileSync(join(folder, name));
    expect(bytes.includes('planted-token')).toBe(false);
    expect(bytes.includes(key)).toBe(false);
  }
});

test('a session with another key can neither open, replace nor delete the credentials of an earlier session', async () => {
  const folder = tempFolder();
  const [vault, passing] = [randomBytes(32), randomBytes(32)];
  await session(folder, vault, (credentials) => credentials.write('p1', 'member-token', 'of the vault'));
  await session(folder, passing, (credentials) => {
    expect(credentials.held('p1', 'member-token')).toBe('other-key');
    expect(credentials.read('p1', 'member-token')).toBeNull();
    credentials.write('p1', 'member-token', 'of this session');
    expect(credentials.held('p1', 'member-token')).toBe('held');
    expect(credentials.read('p1', 'member-token')).toBe('of this session');
  });
  await session(folder, vault, (credentials) => {
    expect(credentials.read('p1', 'member-token')).toBe('of the vault');
    credentials.forget('p1', 'member-token');
  });
  await session(folder, passing, (credentials) => {
    expect(credentials.held('p1', 'member-token')).toBe('none');
  });
});
