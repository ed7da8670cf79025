import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets, demoProfile } from '#core/profiles/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { runs } from '#test/setup/property-runs.ts';

const place = { profile: 'demo', name: 'member-token' };
const unreadable = expect.objectContaining({ code: 'secret_unreadable' }) as Error;

describe('a sealed secret', () => {
  const sealer = createSealer(randomBytes(32));

  test('is opened unchanged, whatever its content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const plain = Buffer.from(bytes);
        expect(sealer.open(place, sealer.seal(place, plain)).equals(plain)).toBe(true);
      }),
      runs(50),
    );
  });

  test('does not open with the key of another session', () => {
    const sealed = createSealer(randomBytes(32)).seal(place, Buffer.from('words'));
    expect(() => sealer.open(place, sealed)).toThrow(unreadable);
  });

  test.each([
    { profile: 'live', name: 'member-token' },
    { profile: 'demo', name: 'publisher-key' },
    { profile: 'demomember-token', name: '' },
  ])('does not open under $profile/$name', (elsewhere) => {
    expect(() => sealer.open(elsewhere, sealer.seal(place, Buffer.from('words')))).toThrow(unreadable);
  });

  test('does not open if any byte was changed or removed', () => {
    const sealed = sealer.seal(place, Buffer.from('words'));
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(index) ^ 1, index);
      expect(() => sealer.open(place, changed)).toThrow(unreadable);
      expect(() => sealer.open(place, sealed.subarray(0, index))).toThrow(unreadable);
    }
  });

  test('is different each time', () => {
    const plain = Buffer.from('words');
    expect(sealer.seal(place, plain).equals(sealer.seal(place, plain))).toBe(false);
  });
});

test('a data key of the wrong length is a bug', () => {
  expect(() => createSealer(randomBytes(16))).toThrow('32 bytes');
});

test('a stored secret survives a restart, and is never on disk in plain text', async () => {
  const folder = tempFolder();
  const sealer = createSealer(randomBytes(32));
  const first = openAppStore({ folder, clock, logger });
  createSecrets({ store: first, sealer }).write(place, Buffer.from('planted words'));
  expect(first.secrets.get(place.profile, place.name)?.includes('planted')).toBe(false);
  await first.dispose();

  const second = openAppStore({ folder, clock, logger });
  const secrets = createSecrets({ store: second, sealer });
  expect(secrets.read(place)?.toString()).toBe('planted words');
  expect(secrets.read({ ...place, name: 'other' })).toBeNull();
  await second.dispose();
});

test('the Demo profile is named Northwind Media and has service days in UTC', () => {
  const addresses = {
    baseUrl: 'http://127.0.0.1:1/api/v1',
    apiUrl: 'http://127.0.0.1:1',
    mcpUrl: 'http://127.0.0.1:1',
  };
  expect(demoProfile({ account: 7001, addresses })).toEqual({
    id: 'demo',
    name: 'Northwind Media',
    kind: 'demo',
    account: '7001',
    zone: 'UTC',
    addresses,
    remoteAccess: 'oauth',
  });
});
