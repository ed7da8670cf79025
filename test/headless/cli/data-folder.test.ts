import { mkdirSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
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
] as const)('on %s with %o the default data folder is %s', (platform, env, folder) => {
  expect(defaultDataFolder({ platform, env, home: '/people/ann' })).toBe(normalize(folder));
});

test.each(['countersign.sqlite', 'serve'] as const)(
  'data of an earlier version is mentioned until new data exists, and for the default folder only: %s',
  (own) => {
    const home = temporaryFolder();
    const environment = { platform: 'darwin', env: {}, home } as const;
    const earlier = join(home, 'Library/Application Support/Countersign');
    const folder = defaultDataFolder(environment);
    const line = (where: string, place: Parameters<typeof earlierDataLine>[2] = environment): string | null =>
      earlierDataLine(where, own, place);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(earlier, own === 'serve' ? 'countersign.sqlite' : 'serve'), 'data of another command');
    expect(line(folder)).toBeNull();
    writeFileSync(join(earlier, own), '');
    expect(line(folder)).toBe(
      `Data of an earlier version is in ${earlier}. To open it: --data-folder "${earlier}"`,
    );
    expect(line(join(home, 'another'))).toBeNull();
    expect(line(folder, { ...environment, platform: 'linux' })).toBeNull();
    writeFileSync(join(folder, own), '');
    expect(line(folder)).toBeNull();
  },
);
