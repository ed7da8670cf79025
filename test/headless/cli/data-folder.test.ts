import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../folder.ts';
import { defaultDataFolder, earlierDataLine } from '#headless/cli/arguments.ts';

test.each([
  ['linux', {}, '/people/ann/.local/share/countersign'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/countersign'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/people/ann/.local/share/countersign'],
  ['linux', { XDG_DATA_HOME: '' }, '/people/ann/.local/share/countersign'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/people/ann/Library/Application Support/Countersign/Command line'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Countersign/Command line'],
  ['win32', {}, '/people/ann/AppData/Roaming/Countersign/Command line'],
] as const)('on %s with %o the data is kept in %s', (platform, env, folder) => {
  expect(defaultDataFolder({ platform, env, home: '/people/ann' })).toBe(folder);
});

test('data of an earlier version is named until there is data here, and for the default folder only', () => {
  const home = temporaryFolder();
  const surroundings = { platform: 'darwin', env: {}, home } as const;
  const earlier = join(home, 'Library/Application Support/Countersign');
  const folder = defaultDataFolder(surroundings);
  mkdirSync(folder, { recursive: true });
  expect(earlierDataLine(folder, surroundings)).toBeNull();
  writeFileSync(join(earlier, 'countersign.sqlite'), '');
  expect(earlierDataLine(folder, surroundings)).toBe(
    `The data of an earlier version lies in ${earlier}. To open it: --data-folder "${earlier}"`,
  );
  expect(earlierDataLine(join(home, 'another'), surroundings)).toBeNull();
  expect(earlierDataLine(folder, { ...surroundings, platform: 'linux' })).toBeNull();
  writeFileSync(join(folder, 'countersign.sqlite'), '');
  expect(earlierDataLine(folder, surroundings)).toBeNull();
});
