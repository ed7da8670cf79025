import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AppOutput } from '#shared/app-api/index.ts';
import { type AppPreload, settingsSchema, type SettingsValues } from '#shared/host-api/index.ts';
import { skipFirstStart } from '../e2e/driver/app.ts';
import { answerDialogs, bootedForThisFile } from './boot/booted-app.ts';

// The tests depend on each other: a person sets the app up, works with it, and deletes everything.
const booted = bootedForThisFile();

const boxes = {
  notifications: 'Notify me of waiting changes and crossed alerts',
  startAtLogin: 'Start Countersign when I sign in to this computer',
  staysInTray: 'Keep running when the window is closed',
};

const openSettings = async (): Promise<void> => {
  await booted.page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: 'Settings' })
    .click();
  await booted.page.getByRole('checkbox', { name: boxes.notifications }).waitFor();
};

const boxesNow = (): Promise<boolean[]> =>
  Promise.all(Object.values(boxes).map((name) => booted.page.getByRole('checkbox', { name }).isChecked()));

const press = (name: string): Promise<void> =>
  booted.page.getByRole('checkbox', { name }).click({ force: true });

async function autostart(): Promise<string[]> {
  const config = await booted.application.evaluate(() => process.env['XDG_CONFIG_HOME'] ?? '');
  const folder = join(config, 'autostart');
  return existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    : [];
}

const isWindowVisible = (): Promise<boolean> =>
  booted.application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.isVisible() && window.webContents.getURL().startsWith('countersign://app/'),
    ),
  );

const ask = (request: 'agents.get' | 'agents.freeze' | 'agents.thaw' | 'session.status'): Promise<unknown> =>
  booted.page.evaluate(async (name) => {
    const { ask } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    const answer = await ask(name, {});
    return 'output' in answer ? answer.output : answer.error;
  }, request);

/** Records the menu of the tray. A freeze of the agents makes the app build it again. */
async function watchTray(): Promise<void> {
  await booted.application.evaluate(({ Tray }) => {
    const { setContextMenu } = Tray.prototype;
    Tray.prototype.setContextMenu = function (menu) {
      (globalThis as { trayMenu?: typeof menu }).trayMenu = menu;
      setContextMenu.call(this, menu);
    };
  });
  await ask('agents.freeze');
  await expect.poll(trayLabels).toContain('Let agents work again…');
  await ask('agents.thaw');
  await expect.poll(trayLabels).not.toContain('Let agents work again…');
}

const trayLabels = (): Promise<string[]> =>
  booted.application.evaluate(() => {
    const { trayMenu } = globalThis as { trayMenu?: Electron.Menu };
    return (trayMenu?.items ?? []).map(({ label }) => label);
  });

const chooseInTray = (label: string): Promise<void> =>
  booted.application.evaluate((_electron, wanted) => {
    const { trayMenu } = globalThis as { trayMenu?: Electron.Menu };
    // The click is delayed, because an app that quits at once could not answer the test.
    setTimeout(() => trayMenu?.items.find((item) => item.label === wanted)?.click());
  }, label);

test.runIf(process.platform === 'linux')(
  'settings for notifications, start at login and closing survive a restart',
  async () => {
    await openSettings();
    await expect.poll(boxesNow).toEqual([true, false, false]);
    for (const name of Object.values(boxes)) await press(name);
    await expect.poll(boxesNow).toEqual([false, true, true]);
    const [entry = '', ...more] = await autostart();
    expect(more).toEqual([]);
    expect(entry).toMatch(/^Exec=".+"/m);

    await booted.restart();
    await openSettings();
    await expect.poll(boxesNow).toEqual([false, true, true]);
    expect(await autostart()).toEqual([entry]);
    await press(boxes.startAtLogin);
    await expect.poll(boxesNow).toEqual([false, false, true]);
    expect(await autostart()).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')(
  'closing the window keeps core, agents and tray running, the tray opens it again, and Quit in the tray ends everything',
  async () => {
    const seen = await answerDialogs(booted, 0);
    await watchTray();
    const { endpoint } = (await ask('agents.get')) as AppOutput<'agents.get'>;
    const close = (): Promise<void> =>
      booted.application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find(({ webContents }) => webContents.getURL().startsWith('countersign://app/'))
          ?.close(),
      );
    await close();
    await expect.poll(isWindowVisible).toBe(false);
    // The app explains once that it keeps running.
    expect((await seen()).asked).toEqual([expect.stringContaining('Countersign keeps running')]);
    expect(await ask('session.status')).toMatchObject({ service: { state: 'ready' } });
    const agent = await fetch(endpoint.url, { method: 'POST' });
    expect(agent.status).toBe(401);

    await chooseInTray('Open Countersign');
    await expect.poll(isWindowVisible).toBe(true);
    await close();
    await expect.poll(isWindowVisible).toBe(false);
    expect((await seen()).asked).toHaveLength(1);

    const log = (): string => readFileSync(join(booted.userData, 'data/logs/countersign.log'), 'utf8');
    const ends = (): number => log().split('The core has ended').length;
    const before = ends();
    const exit = once(booted.application.process(), 'exit');
    await chooseInTray('Quit Countersign');
    expect(await exit).toEqual([0, null]);
    expect(ends()).toBe(before + 1);
    await expect(fetch(endpoint.url, { method: 'POST' })).rejects.toThrow();
    await booted.restart();
  },
);

test.runIf(process.platform === 'linux')(
  'a start at login waits in the tray with its core and agents if the app stays there, and opens a window otherwise',
  async () => {
    await openSettings();
    await press(boxes.startAtLogin);
    await expect.poll(async () => (await autostart()).length).toBe(1);
    const [, given = ''] = /^Exec=.* "([^"]*)"$/m.exec((await autostart())[0] ?? '') ?? [];

    await booted.restart([given]);
    expect(await isWindowVisible()).toBe(false);
    const { endpoint } = (await ask('agents.get')) as AppOutput<'agents.get'>;
    expect((await fetch(endpoint.url, { method: 'POST' })).status).toBe(401);
    await watchTray();
    expect(await isWindowVisible()).toBe(false);
    await chooseInTray('Open Countersign');
    await expect.poll(isWindowVisible).toBe(true);

    await openSettings();
    await press(boxes.staysInTray);
    await expect.poll(boxesNow).toEqual([false, true, false]);
    await booted.restart([given]);
    await expect.poll(isWindowVisible).toBe(true);
    await openSettings();
    await press(boxes.startAtLogin);
    await expect.poll(autostart).toEqual([]);
  },
);

const settingsNow = (): SettingsValues =>
  settingsSchema.parse(JSON.parse(readFileSync(join(booted.userData, 'settings.json'), 'utf8')));

test('a start loads no code for writing settings, and a window that is moved just before quitting reopens at that position', async () => {
  const isStoreLoaded = (): Promise<boolean> =>
    booted.application.evaluate(() =>
      Object.keys(process.mainModule?.require('node:module')._cache).some((file) =>
        /chunks.electron-store/.test(file),
      ),
    );
  await openSettings();
  await press(boxes.notifications);
  await expect.poll(isStoreLoaded).toBe(true);
  await booted.restart();
  expect(await isStoreLoaded()).toBe(false);

  const exit = once(booted.application.process(), 'exit');
  await booted.application.evaluate(({ app, BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().startsWith('countersign://app/'),
    );
    window?.setBounds({ x: 41, y: 42, width: 1003, height: 704 });
    // The quit is delayed, because an app that quits at once could not answer the test.
    setTimeout(() => app.quit());
  });
  expect(await exit).toEqual([0, null]);
  expect(settingsNow().appPlace).toEqual({ x: 41, y: 42, width: 1003, height: 704, maximised: false });
  await booted.restart();
});

test('deleting all data removes settings and logs, and the app begins with its first start', async () => {
  const { page, userData } = booted;
  await openSettings();
  await press(boxes.startAtLogin);
  await expect.poll(autostart).toHaveLength(1);
  const logs = join(userData, 'data', 'logs');
  const words = (): string =>
    readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('\n');
  const first = words().split('\n')[0] ?? '';
  expect(first).toContain('"time"');

  await page.getByRole('button', { name: 'Delete my data…' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete everything?' });
  await deletion.getByLabel('Type “delete” to confirm').fill('delete');
  const loaded = page.waitForEvent('load');
  await deletion.getByRole('button', { name: 'Delete everything' }).click();
  await loaded;
  await skipFirstStart(page);

  expect(words()).toContain('The data was deleted, as a person asked');
  expect(words()).not.toContain(first);
  expect(await autostart()).toEqual([]);
  await openSettings();
  await expect.poll(boxesNow).toEqual([true, false, false]);
  expect(settingsNow()).toMatchObject({ notifications: true, staysInTray: null, hidingExplained: false });
  const stored = await page.evaluate(() => Object.keys(localStorage));
  expect(stored).toEqual([]);
});
