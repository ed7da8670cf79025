import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInBrowser, openingOf } from '#headless/cli/open-in-browser.ts';
import { temporaryFolder } from '../folder.ts';

test.each([
  ['win32', { SystemRoot: 'D:\\Windows' }, 'D:\\Windows\\explorer.exe'],
  ['win32', {}, 'C:\\Windows\\explorer.exe'],
  ['darwin', {}, '/usr/bin/open'],
  ['linux', {}, 'xdg-open'],
] as const)(
  'the program that opens the browser on %s with %o is never from the current folder',
  (platform, env, program) => {
    expect(openingOf('/data/open.html', platform, env).program).toBe(program);
  },
);

test('Windows gets the unchanged path in quotes, even if the user name has letters beyond ASCII', () => {
  const file = 'C:\\Profiles\\Jürgen Ö, 2\\AppData\\Roaming\\open.html';
  expect(openingOf(file, 'win32', {})).toMatchObject({ args: [`"${file}"`], windowsVerbatimArguments: true });
});

test.each(['darwin', 'linux'] as const)(
  '%s gets an address with every special character escaped',
  (platform) => {
    const { args, windowsVerbatimArguments } = openingOf('/people/Jürgen Ö/open.html', platform, {});
    expect(args).toEqual([expect.stringMatching(/^file:\/\/\/.*people\/J%C3%BCrgen%20%C3%96\/open\.html$/)]);
    expect(windowsVerbatimArguments).toBe(false);
  },
);

test('a file for the browser that cannot be written does not end the command, because the address was printed', async () => {
  vi.stubEnv('DISPLAY', ':99');
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'open-countersign.html'));
  const opening = openInBrowser('http://127.0.0.1:1/', folder);
  await expect(opening.dispose()).resolves.toBeUndefined();
});
