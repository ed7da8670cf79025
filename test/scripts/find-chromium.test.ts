import { expect, test } from 'vitest';
import { findChromium, findHeadlessChromium, type ChromiumSearch } from '../../scripts/lib/find-chromium.ts';

const programs = { ProgramFiles: 'C:\\Program Files', 'ProgramFiles(x86)': 'C:\\Program Files (x86)' };
const windowsEnv = { ...programs, LOCALAPPDATA: 'C:\\Profiles\\Jürgen Ö\\AppData\\Local' };

/**
 * A machine with these programs, and these names in each program's folder. Starting a program fails the test unless the
 * program has an output.
 */
function machine(
  platform: NodeJS.Platform,
  present: readonly string[],
  more: Partial<ChromiumSearch> = {},
): ChromiumSearch {
  return {
    platform,
    env: windowsEnv,
    isExecutable: (path) => present.includes(path),
    namesIn: () => [],
    outputOf: async (path) => {
      throw new Error(`${path} was started`);
    },
    ...more,
  };
}

const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
const chrome = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
const ownChrome = `${windowsEnv.LOCALAPPDATA}\\Google\\Chrome\\Application\\chrome.exe`;

test.each([
  ['Edge alone', [edge], edge],
  ['Chrome of all users before Edge', [edge, chrome], chrome],
  ['Chrome of this user, whose name is not ASCII', [edge, ownChrome], ownChrome],
])('on Windows a browser is found without starting it: %s', async (_name, present, path) => {
  const namesIn = (folder: string): string[] =>
    path.startsWith(folder)
      ? ['9.0.1.2', '141.0.7390.37', '99.0.0.1', 'SetupMetrics', 'chrome.VisualElements']
      : [];
  expect(await findChromium(machine('win32', present, { namesIn }))).toEqual({
    path,
    version: '141.0.7390.37',
  });
});

test('on Windows a named Chromium is used even if its folder states no version', async () => {
  const named = 'D:\\tools\\chrome-win\\chrome.exe';
  const search = machine('win32', [named, chrome], { env: { ...windowsEnv, CHROMIUM: named } });
  expect(await findChromium(search)).toEqual({ path: named, version: expect.stringMatching(/./) });
});

test.each(['win32', 'linux'] as const)(
  'on a machine without a browser none is found: %s',
  async (platform) => {
    expect(await findChromium(machine(platform, []))).toBeNull();
    expect(await findHeadlessChromium(machine(platform, []))).toBeNull();
  },
);

test('on other systems the browser reports its version, and a browser that does not start is skipped', async () => {
  const outputOf = async (path: string) => (path === '/usr/bin/chromium' ? null : 'Google Chrome 141.0\n');
  const search = machine('linux', ['/usr/bin/chromium', '/usr/bin/google-chrome'], { outputOf });
  expect(await findChromium(search)).toEqual({
    path: '/usr/bin/google-chrome',
    version: 'Google Chrome 141.0',
  });
});

test('macOS uses Edge if Chrome is missing', async () => {
  const path = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge';
  const outputOf = async () => 'Microsoft Edge 141.0';
  expect(await findChromium(machine('darwin', [path], { outputOf }))).toMatchObject({ path });
});
