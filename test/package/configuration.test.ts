import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import { expect, test } from 'vitest';
import configuration from '../../electron-builder.config.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { fuses } from '../../scripts/package/fuses.ts';

const config = configuration();

/** Returns whether electron-builder keeps this file of node_modules. Only exclusions are evaluated. */
function staysIn(path: string, platform: 'win' | 'mac' | 'linux', arch: string): boolean {
  const patterns = [config[platform]?.files ?? []].flat().filter((pattern) => typeof pattern === 'string');
  return !patterns.some(
    (pattern) => pattern.startsWith('!') && matchesGlob(path, pattern.slice(1).replaceAll('${arch}', arch)),
  );
}

test.each([
  ['win', 'x64', 'win32-x64.node'],
  ['win', 'arm64', 'win32-arm64.node'],
  ['mac', 'x64', 'darwin-x64.node'],
  ['mac', 'arm64', 'darwin-arm64.node'],
  ['linux', 'x64', 'linux-x64.node'],
  ['linux', 'arm64', 'linux-arm64.node'],
] as const)('a package for %s on %s contains one binary of better-sqlite3, %s', (platform, arch, binary) => {
  const folder = 'node_modules/better-sqlite3/prebuilds';
  const all = readdirSync(join(projectRoot, folder));
  expect(all.length).toBeGreaterThan(1);
  expect(all.filter((name) => staysIn(`${folder}/${name}`, platform, arch))).toEqual([binary]);
});

test.each([
  ['node_modules/better-sqlite3/lib/index.js', true],
  ['node_modules/better-sqlite3/lib/methods/backup.js', true],
  ['node_modules/better-sqlite3/package.json', true],
  ['node_modules/better-sqlite3/src/addon.cpp', false],
  ['node_modules/better-sqlite3/deps/sqlite3/sqlite3.c', false],
  ['node_modules/better-sqlite3/binding.gyp', false],
  ['node_modules/node-addon-api/index.js', false],
  ['node_modules/@scope/name/index.js', false],
])('%s is part of a package: %s', (path, comes) => {
  for (const platform of ['win', 'mac', 'linux'] as const) expect(staysIn(path, platform, 'x64')).toBe(comes);
});

test('the installer for Windows asks a running app to quit instead of ending it', () => {
  const include = config.nsis?.include ?? '';
  const text = readFileSync(join(projectRoot, include), 'utf8');
  // Without this macro the template ends every process below the install folder.
  expect(text).toContain('!macro customCheckAppRunning');
  expect(text).toContain('--quit-for-update');
  expect(text).not.toMatch(/taskkill|Stop-Process|KILL_PROCESS/u);
});

test('each system gets packages for both architectures, and deb and rpm are made from the Linux folder', () => {
  const arch = ['x64', 'arm64'];
  const made = (...targets: string[]) => targets.map((target) => ({ target, arch }));
  expect(config.win?.target).toEqual(made('nsis', 'zip'));
  expect(config.mac?.target).toEqual(made('dmg', 'zip'));
  expect(config.linux?.target).toEqual(made('AppImage'));
});

test('the app is one archive with an integrity check', () => {
  expect(config).toMatchObject({
    asar: { smartUnpack: false },
    asarUnpack: ['**/*.node'],
    npmRebuild: false,
    appImage: { executableArgs: [] },
  });
  expect(config.disableAsarIntegrity).toBeUndefined();
});

test('every fuse of Electron is set explicitly', () => {
  expect(
    Object.fromEntries(Object.entries(fuses).map(([fuse, on]) => [FuseV1Options[Number(fuse)], on])),
  ).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
});
