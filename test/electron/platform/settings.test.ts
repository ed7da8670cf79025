import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSettings, openSettingsFile } from '#electron/platform/settings.ts';
import { has } from '#test/servers/abilities.ts';

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

/** A file that is kept in memory. */
function storeWith(found: unknown) {
  const written: unknown[] = [];
  return {
    written,
    read: () => found,
    write: (values: unknown) => void written.push(structuredClone(values)),
  };
}

test.each<[string, unknown]>([
  ['nothing', {}],
  ['no object', 'text'],
  ['a list', [1]],
  ['values of a wrong kind', { theme: 'pink', appPlace: { x: 'left' }, weakVaultConsent: true }],
  ['a place with a size of nothing', { appPlace: { ...place, width: 0 } }],
])('a file with %s is as if nothing was ever set', (_what, found) => {
  const settings = createSettings(storeWith(found));
  for (const [key, value] of Object.entries(unset)) expect(settings.get(key as 'theme')).toEqual(value);
});

test('a damaged value does not cost the others', () => {
  const settings = createSettings(storeWith({ theme: 'dark', appPlace: { x: 1 }, confirmPlace: place }));
  expect(settings.get('theme')).toBe('dark');
  expect(settings.get('appPlace')).toBeNull();
  expect(settings.get('confirmPlace')).toEqual(place);
});

test('a setting is read again, written completely, and reported to its listeners', () => {
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
  expect(store.written.at(-1)).toEqual({
    ...unset,
    theme: 'light',
    appPlace: place,
    confirmPlace: place,
  });
});

test('a setting that cannot be written holds until the end of this run', () => {
  const settings = createSettings({
    read: () => ({}),
    write() {
      throw new Error('ENOSPC');
    },
  });
  settings.set('theme', 'dark');
  expect(settings.get('theme')).toBe('dark');
});

test('a reset forgets everything but what is named, and reports it to every listener', () => {
  const newestFeed = { version: '1.2.3', releasedAtMs: 7 };
  const store = storeWith({ theme: 'dark', notifications: false, appPlace: place, newestFeed });
  const settings = createSettings(store);
  const heard: unknown[] = [];
  settings.onSet('theme', (theme) => heard.push(theme));
  settings.onSet('notifications', (notifications) => heard.push(notifications));
  settings.reset({ newestFeed: settings.get('newestFeed') });
  expect(store.written).toEqual([{ ...unset, newestFeed }]);
  expect(settings.get('appPlace')).toBeNull();
  expect(heard).toEqual(['system', true]);
});

describe('the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
  const file = join(folder, 'settings.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<[string, string | null]>([
    ['is not there', null],
    ['is empty', ''],
    ['is cut off', '{"theme": "da'],
  ])('that %s begins again, and what is set is there at the next start', (_what, text) => {
    rmSync(file, { force: true });
    if (text !== null) writeFileSync(file, text);
    createSettings(openSettingsFile(file)).set('theme', 'dark');
    expect(createSettings(openSettingsFile(file)).get('theme')).toBe('dark');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  test.runIf(has.modes)('is readable by its owner only', () => {
    createSettings(openSettingsFile(file)).set('theme', 'dark');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be read is a failure, and stays as it is', () => {
    const held = join(folder, 'held.json');
    mkdirSync(held);
    expect(() => openSettingsFile(held)).toThrow('EISDIR');
    rmSync(held, { recursive: true });
  });
});
