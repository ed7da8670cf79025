import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSettings, openSettings, openSettingsFile } from '#electron/platform/settings.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const place = { x: 10, y: 20, width: 1000, height: 700, maximised: true };
const unset = {
  theme: 'system',
  appPlace: null,
  confirmPlace: null,
  trainingPlace: null,
  trainingConfirmPlace: null,
  weakVaultConsent: null,
  notifications: true,
  staysInTray: null,
  hidingExplained: false,
  dailyUpdates: true,
  updatesLookedAtMs: null,
  newestFeed: null,
};

function storeWith(found: unknown) {
  const written: unknown[] = [];
  return {
    written,
    read: () => found,
    write: async (values: unknown) => void written.push(values),
  };
}

test.each<[string, unknown]>([
  ['nothing', {}],
  ['no object', 'text'],
  ['a list', [1]],
  ['values of a wrong kind', { theme: 'pink', appPlace: { x: 'left' }, weakVaultConsent: true }],
  ['a window size of zero', { appPlace: { ...place, width: 0 } }],
])('a settings file with %s counts as unset', (_what, found) => {
  const settings = createSettings(storeWith(found));
  for (const [key, value] of Object.entries(unset)) expect(settings.get(key as 'theme')).toEqual(value);
});

test('a damaged setting does not affect other settings', () => {
  const settings = createSettings(storeWith({ theme: 'dark', appPlace: { x: 1 }, confirmPlace: place }));
  expect(settings.get('theme')).toBe('dark');
  expect(settings.get('appPlace')).toBeNull();
  expect(settings.get('confirmPlace')).toEqual(place);
});

test('a setting is read back, written completely, and reported to its listeners', async () => {
  const store = storeWith({ confirmPlace: place });
  const settings = createSettings(store);
  const themes: string[] = [];
  const stop = settings.onSet('theme', (theme) => themes.push(theme));
  settings.set('theme', 'dark');
  settings.set('appPlace', place);
  stop();
  settings.set('theme', 'light');
  expect(themes).toEqual(['dark']);
  expect(settings.get('appPlace')).toEqual(place);
  await settings.writing();
  expect(store.written.at(-1)).toEqual({
    ...unset,
    theme: 'light',
    appPlace: place,
    confirmPlace: place,
  });
});

test('settings are written one after the other, and the latest values last', async () => {
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const settings = createSettings({
    read: () => ({}),
    async write({ theme }) {
      steps.push(`${theme} begins`);
      if (theme === 'dark') await first.promise;
      steps.push(`${theme} ends`);
    },
  });
  settings.set('theme', 'dark');
  settings.set('theme', 'light');
  expect(settings.get('theme')).toBe('light');
  first.resolve();
  await settings.writing();
  expect(steps).toEqual(['dark begins', 'dark ends', 'light begins', 'light ends']);
  expect(settings.writing()).toBeNull();
});

test('an unchanged window position is not written again', () => {
  const store = storeWith({ appPlace: place });
  const settings = createSettings(store);
  settings.set('appPlace', { ...place });
  expect(settings.writing()).toBeNull();
});

test('a setting that cannot be written applies until the program ends, and the next one is tried', async () => {
  const failures: unknown[] = [];
  const full = new Error('ENOSPC');
  const settings = createSettings(
    { read: () => ({}), write: () => Promise.reject(full) },
    (failure) => void failures.push(failure),
  );
  settings.set('theme', 'dark');
  settings.set('notifications', false);
  await settings.writing();
  expect(failures).toEqual([full, full]);
  expect(settings.get('theme')).toBe('dark');
});

test('a reset deletes all settings except the named ones and notifies every listener', async () => {
  const newestFeed = { version: '1.2.3', releasedAtMs: 7 };
  const store = storeWith({ theme: 'dark', notifications: false, appPlace: place, newestFeed });
  const settings = createSettings(store);
  const heard: unknown[] = [];
  settings.onSet('theme', (theme) => heard.push(theme));
  settings.onSet('notifications', (notifications) => heard.push(notifications));
  settings.reset({ newestFeed: settings.get('newestFeed') });
  await settings.writing();
  expect(store.written).toEqual([{ ...unset, newestFeed }]);
  expect(settings.get('appPlace')).toBeNull();
  expect(heard).toEqual(['system', true]);
});

describe('the settings file', () => {
  /** Sets the theme in a separate run of the app, and resolves when it is written. */
  async function setTheme(folder: string, theme: 'dark' | 'light'): Promise<void> {
    const settings = createSettings(openSettingsFile(folder));
    settings.set('theme', theme);
    await settings.writing();
  }

  test.each<[string, string | null]>([
    ['is not there', null],
    ['is empty', ''],
    ['is cut off', '{"theme": "da'],
    ['is no object', '[1]'],
  ])('that %s begins again, and new settings are read at the next start', async (_what, text) => {
    const folder = tempFolder();
    if (text !== null) writeFileSync(join(folder, 'settings.json'), text);
    await setTheme(folder, 'dark');
    expect(createSettings(openSettingsFile(folder)).get('theme')).toBe('dark');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  test('of an earlier version is read, and its other settings are kept', async () => {
    const folder = tempFolder();
    const earlier = { ...unset, theme: 'light', appPlace: place };
    writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(earlier, null, 2)}\n`);
    await setTheme(folder, 'dark');
    const text = readFileSync(join(folder, 'settings.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({ ...earlier, theme: 'dark' });
  });

  test('is neither created nor changed by a start that sets nothing', () => {
    const folder = tempFolder();
    createSettings(openSettingsFile(folder));
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(has.modes)('is readable by its owner only', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'settings.json'), '{}', { mode: 0o644 });
    await setTheme(folder, 'dark');
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
  });

  test('that cannot be read is a failure and stays unchanged', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'settings.json'));
    expect(() => openSettingsFile(folder)).toThrow('EISDIR');
    const logged: unknown[] = [];
    const settings = openSettings(folder, {
      info: () => undefined,
      warn: (facts) => void logged.push(facts),
    });
    settings.set('theme', 'dark');
    await settings.writing();
    expect(settings.get('theme')).toBe('dark');
    expect(logged).toEqual([{ code: 'EISDIR' }]);
    expect(statSync(join(folder, 'settings.json')).isDirectory()).toBe(true);
  });

  test('that could not be written is written as soon as possible', async () => {
    const folder = join(tempFolder(), 'app');
    const failures: unknown[] = [];
    const settings = createSettings(openSettingsFile(folder), (failure) => void failures.push(failure));
    writeFileSync(folder, 'in the way');
    settings.set('theme', 'dark');
    await settings.writing();
    expect(failures).toHaveLength(1);
    rmSync(folder);
    settings.set('notifications', false);
    await settings.writing();
    expect(failures).toHaveLength(1);
    const reopened = createSettings(openSettingsFile(folder));
    expect([reopened.get('theme'), reopened.get('notifications')]).toEqual(['dark', false]);
  });
});
