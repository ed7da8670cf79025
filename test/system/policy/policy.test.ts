import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import {
  type AdministratorPolicy,
  administratorsPlace,
  createAdministratorPolicy,
} from '#system/policy/index.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const uid = process.getuid?.() ?? 0;

interface World {
  folder: string;
  file: string;
  policy: AdministratorPolicy;
  write(text: string): void;
  problem(): string | null;
  changes: number;
}

/** A policy that belongs to the user who runs the test. */
function open(ownerUid = uid): World {
  const folder = join(tempFolder(), 'countersign');
  mkdirSync(folder, { mode: 0o755 });
  const file = join(folder, 'policy.json');
  const world: World = {
    folder,
    file,
    policy: createAdministratorPolicy({
      place: { file, ownerUid },
      logger: silentLogger,
      emit: ({ kind }) => void (world.changes += kind === 'policy.changed' ? 1 : 0),
    }),
    write: (text) => writeFileSync(file, text, { mode: 0o644 }),
    problem: () => world.policy.view().problem?.message ?? null,
    changes: 0,
  };
  return world;
}

const live = {
  baseUrl: 'https://ads.example.com/api/v1',
  apiUrl: 'https://api.example.com',
  mcpUrl: 'https://mcp.example.com',
};

test('the administrator’s policy is read from a place that only root can write to, and not on Windows yet', () => {
  expect(administratorsPlace('linux')).toEqual({ file: '/etc/countersign/policy.json', ownerUid: 0 });
  expect(administratorsPlace('darwin')?.file).toBe('/Library/Application Support/Countersign/policy.json');
  expect(administratorsPlace('win32')).toBeNull();
});

describe.runIf(has.modes)('the administrator’s policy', () => {
  test('sets no limit if its file or folder does not exist', () => {
    const { policy, folder } = open();
    expect(policy.view()).toMatchObject({ problem: null, guardrails: null, liveServices: null });
    expect(() => policy.assertAllowed(live)).not.toThrow();
    rmSync(folder, { recursive: true });
    expect(policy.view()).toMatchObject({ problem: null, updatesOff: false });
  });

  test('allows a live service only if each of its origins is listed', () => {
    const { policy, write } = open();
    write('{"liveServices":["https://ads.example.com","https://api.example.com"]}');
    expect(() => policy.assertAllowed(live)).toThrow(
      expect.objectContaining({
        code: 'service_not_allowed',
        message: 'The policy of this computer’s administrator does not allow “https://mcp.example.com”.',
      }),
    );
    write('{"liveServices":["https://ads.example.com","https://api.example.com","https://mcp.example.com"]}');
    expect(() => policy.assertAllowed(live)).not.toThrow();
    write('{"liveServices":[]}');
    expect(() => policy.assertAllowed(live)).toThrow(
      expect.objectContaining({ code: 'service_not_allowed' }),
    );
  });

  test('stops live services, agents and updates while its file is invalid, and names the fault', () => {
    const { policy, write, problem, file } = open();
    write('{"guardrails":{"maxBidFactor":"2"}}');
    expect(problem()).toContain(`${file}” cannot be used: “guardrails.maxBidFactor”: `);
    for (const attempt of [
      () => policy.assertUsable(),
      () => policy.guardrails(),
      () => policy.assertAllowed(live),
    ])
      expect(attempt).toThrow(expect.objectContaining({ code: 'policy_unusable' }));
    expect(policy.view()).toMatchObject({ liveServices: [], updatesOff: true });
  });

  test('is read again when its file is created, changed or deleted, and every change is reported', async () => {
    const world = open();
    expect(world.problem()).toBeNull();
    world.write('{');
    expect(world.problem()).not.toBeNull();
    world.write('{"updates":"off"}');
    expect(world.policy.view()).toMatchObject({ problem: null, updatesOff: true });
    rmSync(world.file);
    expect(world.policy.view()).toMatchObject({ problem: null, updatesOff: false });
    world.policy.view();
    await Promise.resolve();
    expect(world.changes).toBe(3);
  });

  test('in a folder of another owner is not used', () => {
    const { write, problem } = open(uid + 1);
    expect(problem()).toContain('Its folder must belong to user');
    write('{}');
    expect(problem()).toContain(`it belongs to user ${uid}`);
  });

  test.skipIf(uid !== 0)('in a file of another owner is not used', () => {
    const { write, problem, file } = open();
    write('{}');
    chownSync(file, 1, 1);
    expect(problem()).toContain('It must belong to root; it belongs to user 1.');
  });

  test.each([
    [0o664, '{}'],
    [0o646, '{}'],
  ])('whose file has the mode %o is not used', (mode, text) => {
    const { write, problem, file } = open();
    write(text);
    chmodSync(file, mode);
    expect(problem()).toContain('It must not be writable by others');
  });

  test('in a folder that others can write to is not used, even if the file is missing', () => {
    const { problem, folder } = open();
    chmodSync(folder, 0o777);
    expect(problem()).toContain('Its folder must not be writable by others');
  });

  test.each([
    ['a link', (file: string) => symlinkSync('/dev/null', file), 'It cannot be read (ELOOP)'],
    ['a folder', (file: string) => mkdirSync(file), 'It is not a file'],
    ['a pipe', (file: string) => void execFileSync('mkfifo', ['-m', '644', file]), 'It is not a file'],
    [
      'a text that is not UTF-8',
      (file: string) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]), { mode: 0o644 }),
      'It is not UTF-8',
    ],
    [
      'a file without end',
      (file: string) => {
        writeFileSync(file, '{}', { mode: 0o644 });
        truncateSync(file, 1_000_000);
      },
      'It is too long',
    ],
  ])('is not read from %s', (_, make, reason) => {
    const { problem, file } = open();
    make(file);
    expect(problem()).toContain(reason);
  });
});
