import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSettings, type Settings } from '#electron/platform/settings.ts';
import { createBehaviour } from '#electron/shell/start-and-quit/behaviour.ts';
import { resetHost, type ResetParts } from '#electron/shell/reset-host.ts';
import { autostartFile } from '../../../src/main/electron/shell/start-and-quit/behaviour.ts';
import { AppError } from '#shared/errors/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const newestFeed = { version: '1.2.3', releasedAtMs: 7 };

interface Desktop {
  parts: ResetParts;
  settings: Settings;
  /** The steps that were taken; `logged` has the log messages. */
  done: string[];
}

function usedDesktop(change: Partial<ResetParts> = {}): Desktop {
  const folder = tempFolder();
  const done: string[] = [];
  const found = { theme: 'dark', notifications: false, staysInTray: true, newestFeed };
  const settings = createSettings({
    read: () => found,
    async write() {
      await setImmediate();
      done.push('settings written');
    },
  });
  const behaviour = createBehaviour(
    settings,
    autostartFile(() => ['app'], folder),
  );
  behaviour.change({ startAtLogin: true });
  const saves = join(folder, 'saves');
  mkdirSync(saves);
  writeFileSync(join(saves, 'part'), 'half a file');
  return {
    settings,
    done,
    parts: {
      settings,
      behaviour,
      clearPages: async () => void done.push('pages'),
      folders: [saves, join(folder, 'absent')],
      vault: Promise.resolve({ renew: async () => Buffer.from('another key') }),
      log: { info: () => undefined, warn: (facts) => void done.push(JSON.stringify(facts)) },
      ...change,
    },
  };
}

test('a reset leaves the settings of a first start, except the newest update feed, and a new key', async () => {
  const { parts, settings, done } = usedDesktop();
  expect(await resetHost(parts)).toBe(Buffer.from('another key').toString('base64'));
  expect(parts.behaviour.change({})).toMatchObject({ notifications: true, startAtLogin: false });
  expect([settings.get('theme'), settings.get('staysInTray'), settings.get('newestFeed')]).toEqual([
    'system',
    null,
    newestFeed,
  ]);
  expect(parts.folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  expect(done).toEqual(['settings written', 'pages']);
});

test('a failed step stops no other step, and the log names it without details', async () => {
  const { parts, settings, done } = usedDesktop({
    behaviour: {
      change() {
        throw new AppError('storage_failed', { message: 'Mr Miller’s disk' });
      },
    },
    clearPages: () => Promise.reject(new Error('Mr Miller’s pages')),
    vault: Promise.resolve({ renew: async () => null }),
  });
  expect(await resetHost(parts)).toBeNull();
  expect(settings.get('theme')).toBe('system');
  expect(done).toEqual([
    '{"step":"start at login","code":"storage_failed"}',
    'settings written',
    '{"step":"pages","code":null}',
  ]);
});
