import { expect, test } from 'vitest';
import { defaultDataFolder } from '#headless/cli/arguments.ts';

test.each([
  ['linux', {}, '/people/ann/.local/share/countersign'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/countersign'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/people/ann/.local/share/countersign'],
  ['linux', { XDG_DATA_HOME: '' }, '/people/ann/.local/share/countersign'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/people/ann/Library/Application Support/Countersign'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Countersign'],
  ['win32', {}, '/people/ann/AppData/Roaming/Countersign'],
] as const)('on %s with %o the data is kept in %s', (platform, env, folder) => {
  expect(defaultDataFolder({ platform, env, home: '/people/ann' })).toBe(folder);
});
