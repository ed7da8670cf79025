import { expect, test } from 'vitest';
import { desktopOrBrowser, type Machine } from '../../scripts/lib/open-app.ts';

const runtime = { folder: '/somewhere', executable: '/somewhere/electron', version: '45.4.1' };

const desktop: Machine = {
  platform: 'linux',
  isRoot: false,
  env: { DISPLAY: ':0' },
  canSandbox: () => true,
  getRuntime: async () => ({ kind: 'arrived', runtime }),
};

/** A runtime must not be requested if it cannot be used, because the request may download it. */
const notAsked = async (): Promise<never> => {
  throw new Error('A runtime was asked for');
};

test.each<[string, Partial<Machine>]>([
  ['Linux with X', {}],
  ['Linux with Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }],
  ['macOS', { platform: 'darwin', env: {}, canSandbox: () => false }],
  ['Windows', { platform: 'win32', env: {}, canSandbox: () => false }],
])('the desktop opens on %s', async (_name, machine) => {
  expect(await desktopOrBrowser({ ...desktop, ...machine })).toEqual({ kind: 'desktop', runtime });
});

test.each<[string, Partial<Machine>, string]>([
  ['as root', { isRoot: true, env: {}, getRuntime: notAsked }, 'As root the desktop window cannot open'],
  [
    'without a display',
    { env: { DISPLAY: '' }, canSandbox: () => false, getRuntime: notAsked },
    'There is no display for the desktop window',
  ],
  [
    'if no sandbox can be created',
    { canSandbox: () => false, getRuntime: notAsked },
    'This system refuses the sandbox that the desktop window needs',
  ],
  [
    'if the download fails',
    { getRuntime: async () => ({ kind: 'failed', reason: 'TypeError: fetch failed' }) },
    'No Electron (TypeError: fetch failed)',
  ],
  [
    'if the download has stopped',
    { getRuntime: async () => ({ kind: 'stalled' }) },
    'The download of Electron brought nothing for 20 s; if it finishes in the background, the next start uses it',
  ],
  [
    'if the named runtime is missing',
    {
      env: { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: '/gone' },
      getRuntime: async () => ({ kind: 'failed', reason: '' }),
    },
    'ELECTRON_OVERRIDE_DIST_PATH names /gone, which contains no Electron',
  ],
])('the browser opens %s, and one line explains why', async (_name, machine, reason) => {
  const host = await desktopOrBrowser({ ...desktop, ...machine });
  expect(host).toEqual({ kind: 'browser', line: `${reason}: opening in the browser, Demo only.` });
});
