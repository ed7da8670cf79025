import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { appDriver, skipFirstStart, waitingFor, type AppDriver } from '#test/e2e/driver/app.ts';
import { desktopHost } from '#test/e2e/driver/desktop/app-host.ts';
import { windowAt } from '#test/e2e/driver/desktop/windows.ts';
import { electronForThisFile } from '#test/servers/electron-runtime.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { appPushes, type UpdateState } from '#shared/host-api/index.ts';
import { themes, type Theme } from './camera.ts';
import { corePidOf } from './core-process.ts';
import { screenOf, type Area, type Screen } from './screen.ts';
import { untilFound } from '#test/setup/eventually.ts';

const bed = electronForThisFile();

const appPlace = { x: 80, y: 80, width: 1280, height: 800 };
const confirmSize = { width: 760, height: 680 };

interface Desktop {
  electron: ElectronApplication;
  app: AppDriver;
  screen: Screen;
  appArea: Area;
}

async function openDesktop(theme: Theme, userData: string, ready: RegExp): Promise<Desktop> {
  // Native menus use the system's theme.
  const env = { GTK_THEME: theme === 'dark' ? 'Adwaita:dark' : 'Adwaita' };
  const electron = await bed.launch({ userData, env });
  onTestFinished(() => electron.close());
  electron.context().setDefaultTimeout(20_000);
  const app = appDriver(await desktopHost(electron, null));
  await app.page.getByText(ready).first().waitFor();
  await electron.evaluate(({ nativeTheme }, chosen) => void (nativeTheme.themeSource = chosen), theme);
  const screen = await screenOf(electron, theme);
  const appArea = await screen.place('app', appPlace);
  await app.page.mouse.move(640, 4);
  return { electron, app, screen, appArea };
}

const withWall = ({ x, y, width, height }: Area, margin: number): Area => ({
  x: x - margin,
  y: y - margin,
  width: width + 2 * margin,
  height: height + 2 * margin,
});

const bidOf = async (app: AppDriver, cid: number): Promise<number> =>
  Number(await app.panel(cid).getByLabel('Bid', { exact: true }).inputValue());

const nameOf = (app: AppDriver, cid: number): Promise<string> =>
  app.panel(cid).getByLabel('Name', { exact: true }).inputValue();

test.each(themes)('the app window with the confirmation window in front, %s', async (theme) => {
  const { electron, app, screen, appArea } = await openDesktop(theme, bed.newFolder(), /service ready/);
  const take = (what: string, area: Area): void => screen.take(`desktop-${what}-${theme}`, area);
  const { page } = app;
  await app.until('first row');
  await app.turnTo();
  await page.getByRole('dialog').waitFor();
  take('first-start', appArea);
  await skipFirstStart(page);
  take('campaigns', appArea);

  await page.getByRole('button', { name: 'secrets last until you quit' }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(300);
  take('vault', appArea);
  await page.keyboard.press('Escape');

  await app.filterStatus('Active');
  const cid = await app.cidInRow(3);
  await app.row(cid).getByRole('gridcell').nth(2).click();
  await app.panel(cid).getByLabel('Name', { exact: true }).waitFor();
  const name = await nameOf(app, cid);
  await app.edit(cid, 'Bid', ((await bidOf(app, cid)) * 1.2).toFixed(3));
  await app.edit(cid, 'Daily budget', '60');
  await page.waitForTimeout(300);
  take('campaign', appArea);

  const confirmation = await windowAt(electron, 'confirm');
  /** Centres the requested confirmation on the app's window, focuses it and waits for its armed buttons. */
  async function asked(name: string): Promise<Area> {
    await confirmation.page.getByRole('heading', { level: 1, name }).waitFor();
    await expect.poll(confirmation.isVisible).toBe(true);
    const x = appArea.x + Math.round((appArea.width - confirmSize.width) / 2);
    const y = appArea.y + Math.round((appArea.height - confirmSize.height) / 2);
    const area = await screen.place('confirm', { x, y, ...confirmSize });
    await confirmation.focus();
    await confirmation.page.locator('button[aria-disabled="false"]', { hasText: /^Deny/ }).waitFor();
    return area;
  }
  const review = page.getByRole('button', { name: /^Review change/ });

  await review.click();
  await asked(name);
  take('scene', withWall(appArea, 40));
  await confirmation.close();
  const waiting = await waitingFor(app, cid);

  await app.turnTo();
  const other = await app.cidInRow(6);
  await app.row(other).getByRole('gridcell').nth(2).click();
  await app.panel(other).getByLabel('Name', { exact: true }).waitFor();
  await app.edit(other, 'Bid', ((await bidOf(app, other)) * 10).toFixed(3));
  const otherName = await nameOf(app, other);
  await review.click();
  const confirmArea = await asked(otherName);
  take('confirm', confirmArea);

  await app.ask('proposals.review', { id: waiting });
  await confirmation.page.getByText(/ of 2$/).waitFor();
  await asked(name);
  take('queue', confirmArea);
  await confirmation.close();
});

/** States of updates as the host reports them. */
const offer = {
  version: '1.3.0',
  releasedAtMs: Date.UTC(2026, 10, 20),
  news: ['Reports load twice as fast', 'The ledger can be searched'],
  bytes: 112_400_000,
};
const updateStates: [string, UpdateState][] = [
  ['idle', { kind: 'idle' }],
  ['available', { kind: 'available', offer }],
  ['downloading', { kind: 'downloading', offer, receivedBytes: 48_000_000 }],
  ['ready', { kind: 'ready', offer }],
  ['waiting', { kind: 'waiting', offer, for: 'decision' }],
  ['refused', { kind: 'refused', failure: encodeError(new AppError('update_signature_wrong')) }],
];

test.each(themes)('settings, and an update in each state, %s', async (theme) => {
  const { electron, app, screen, appArea } = await openDesktop(theme, bed.newFolder(), /service ready/);
  const { page } = app;
  await app.turnTo();
  await skipFirstStart(page);
  await app.goTo('Settings');
  await page.getByRole('heading', { name: 'Updates' }).waitFor();
  screen.take(`desktop-settings-${theme}`, appArea);
  for (const [name, state] of updateStates) {
    const view = { version: '1.2.0', state, lookedAtMs: Date.now() - 5 * 60_000, daily: true };
    await electron.evaluate(
      ({ BrowserWindow }, { channel, view }) => {
        for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(channel, view);
      },
      { channel: appPushes.updates, view },
    );
    await page.waitForTimeout(300);
    screen.take(`desktop-updates-${name}-${theme}`, appArea);
  }
});

test.each(themes)('the app window after the core process crashed, %s', async (theme) => {
  const userData = bed.newFolder();
  const { electron, app, screen, appArea } = await openDesktop(theme, userData, /service ready/);
  await app.until('first row');
  await app.turnTo();
  await skipFirstStart(app.page);
  const appPid = electron.process().pid ?? 0;
  const killed = await corePidOf(appPid);
  process.kill(killed, 'SIGKILL');
  await app.until('core away');
  await app.page.waitForTimeout(200);
  screen.take(`desktop-lost-${theme}`, appArea);
});

test.each(themes)('the app window if another process uses its data folder, %s', async (theme) => {
  const userData = bed.newFolder();
  const holder = Promise.withResolvers<number>();
  const args = ['open', '--no-open', '--data-folder', join(userData, 'data')];
  const held = bed.runNode([join(bed.app, 'out/main/countersign.cjs'), ...args], {
    timeoutMs: 120_000,
    onStart: holder.resolve,
  });
  const pid = await holder.promise;
  onTestFinished(async () => {
    process.kill(pid, 'SIGTERM');
    await held;
  });
  await untilFound(() => existsSync(join(userData, 'data', 'lock.json')));
  const { app, screen, appArea } = await openDesktop(theme, userData, /Countersign stopped/);
  await app.turnTo();
  screen.take(`desktop-stopped-${theme}`, appArea);
});
