import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppPreload } from '#shared/host-api/index.ts';
import { skipFirstStart } from '../e2e/driver/app.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';

const electron = electronForThisFile();

declare global {
  interface Window {
    readonly countersign: AppPreload;
  }
}

async function opened(): Promise<{ app: ElectronApplication; page: Page }> {
  const app = await electron.launch();
  const page = await app.firstWindow();
  await page.getByText('service ready').waitFor();
  await skipFirstStart(page);
  return { app, page };
}

/** Presses keys as the system delivers them: to the page first, then to the menu. */
const press = (
  app: ElectronApplication,
  keyCode: string,
  modifiers: ('control' | 'shift')[] = ['control'],
  origin: 'app' | 'confirm' = 'app',
): Promise<void> =>
  app.evaluate(
    ({ BrowserWindow }, { key, modifiers, origin }) => {
      const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith(`countersign://${origin}/`),
      );
      for (const type of ['rawKeyDown', 'keyUp'] as const) {
        window?.webContents.sendInputEvent({ type: type as 'keyDown', keyCode: key, modifiers });
      }
    },
    { key: keyCode, modifiers, origin },
  );

/** Presses a key of the menu and, before the menu has acted, the letters that follow. */
const pressAtOnce = (app: ElectronApplication, keyCode: string, letters: string): Promise<void> =>
  app.evaluate(
    ({ BrowserWindow }, { keyCode, letters }) => {
      const contents = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith('countersign://app'),
      )?.webContents;
      contents?.sendInputEvent({ type: 'rawKeyDown' as 'keyDown', keyCode, modifiers: ['control'] });
      contents?.sendInputEvent({ type: 'keyUp', keyCode, modifiers: ['control'] });
      for (const letter of letters) {
        contents?.sendInputEvent({ type: 'keyDown', keyCode: letter });
        contents?.sendInputEvent({ type: 'char', keyCode: letter });
        contents?.sendInputEvent({ type: 'keyUp', keyCode: letter });
      }
    },
    { keyCode, letters },
  );

/** Waits for the item, because the menu depends on messages of the core. */
async function choose(app: ElectronApplication, label: string): Promise<void> {
  await expect.poll(() => labels(app)).toContain(label);
  await app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find((item) => item.label === wanted)?.click({ triggeredByAccelerator: false });
  }, label);
}

const labels = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    return items.map(({ label }) => label);
  });

const confirmWindow = 'countersign://confirm';

/** Returns the heading of the confirmation, or null while its window is hidden. */
async function confirming(app: ElectronApplication): Promise<string | null> {
  const isVisible = await app.evaluate(
    ({ BrowserWindow }, at) =>
      BrowserWindow.getAllWindows().some(
        (window) => window.isVisible() && window.webContents.getURL().startsWith(at),
      ),
    confirmWindow,
  );
  if (!isVisible) return null;
  const asked = app.windows().find((window) => window.url().startsWith(confirmWindow));
  return (await asked?.getByRole('heading', { level: 1 }).innerText()) ?? null;
}

/** Closes the confirmation without an answer. */
async function postpone(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }, at) => {
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().startsWith(at))
      ?.close();
  }, confirmWindow);
  await expect.poll(() => confirming(app)).toBeNull();
}

describe('the desktop app', () => {
  let app: ElectronApplication;
  let page: Page;
  beforeAll(async () => {
    ({ app, page } = await opened());
  });
  afterAll(() => app.close());

  test('runs a shortcut once, whether the page or the menu handles it', async () => {
    const palette = page.getByRole('dialog');
    await press(app, 'K');
    await palette.waitFor();
    await press(app, 'K');
    await palette.waitFor({ state: 'detached' });
    expect(await palette.count()).toBe(0);
    await press(app, '3');
    await page.waitForURL('**/#/proposals');
    await press(app, 'F');
    await page.waitForURL('**/#/campaigns');
    await page.waitForFunction(() => document.activeElement?.matches('input'));
  });

  test('sends keys typed after a menu shortcut to the place that it opened and not to the list', async () => {
    const list = page.getByRole('grid', { name: 'Campaigns' });
    const search = page.getByLabel('Search campaigns');
    await press(app, '1');
    await list.focus();
    await pressAtOnce(app, 'F', 'exj');
    await expect.poll(() => search.inputValue()).toBe('exj');
    await search.fill('');
    await list.focus();
    await pressAtOnce(app, 'K', 'exj');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Search and commands' }).inputValue())
      .toBe('exj');
    await page.keyboard.press('Escape');
    await list.focus();
    await pressAtOnce(app, '3', 'exj');
    await page.waitForURL('**/#/proposals');
    await press(app, '1');
    await list.waitFor();
    expect(await page.getByText('1 selected').count()).toBe(0);
    expect(await page.getByRole('region', { name: /^Campaign \d+$/ }).count()).toBe(0);
  });

  test('shows no menu bar in the system’s colours above its own, and Alt opens the menu', async () => {
    const bar = await app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith('countersign://app'),
      );
      return { hidesItself: window?.autoHideMenuBar, isVisible: window?.isMenuBarVisible() };
    });
    expect(bar).toEqual({ hidesItself: true, isVisible: false });
  });

  test('opens the pages of its menu', async () => {
    await choose(app, 'Ledger');
    await page.waitForURL('**/#/ledger');
    await choose(app, 'Keyboard Shortcuts');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await choose(app, 'Getting Started');
    await page.getByRole('dialog', { name: 'Welcome to Countersign' }).waitFor();
    await choose(app, 'Proposals');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/proposals');
  });

  test('stops everything with one menu click even with hidden windows, and shortcut and tray lead to the same pause', async () => {
    await app.evaluate(({ BrowserWindow, dialog, Tray }) => {
      BrowserWindow.getAllWindows().forEach((window) => window.hide());
      dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
      const setContextMenu = Tray.prototype.setContextMenu;
      Tray.prototype.setContextMenu = function (menu) {
        (globalThis as { trayMenu?: typeof menu }).trayMenu = menu;
        setContextMenu.call(this, menu);
      };
    });
    await choose(app, 'Emergency Stop');
    await expect.poll(() => confirming(app)).toMatch(/^Pause \d+ running campaigns$/);
    const frozen = page.getByText('Agents frozen', { exact: true });
    await frozen.waitFor();

    await postpone(app);
    await press(app, 'H', ['control', 'shift']);
    await expect.poll(() => confirming(app)).toMatch(/^Pause/);
    await postpone(app);
    await app.evaluate(() => {
      const { trayMenu } = globalThis as { trayMenu?: Electron.Menu };
      trayMenu?.items.find(({ label }) => label === 'Emergency stop')?.click();
    });
    await expect.poll(() => confirming(app)).toMatch(/^Pause/);
    const list = { which: 'waiting', before: null, limit: 9 } as const;
    const answer = await page.evaluate((input) => window.countersign.ask('proposals.list', input), list);
    expect(answer).toMatchObject({ output: { total: 1 } });

    await postpone(app);
    await choose(app, 'Let Agents Work Again…');
    await frozen.waitFor({ state: 'detached' });
    await press(app, 'H', ['control', 'shift']);
    await expect.poll(() => confirming(app)).toMatch(/^Pause/);
    await frozen.waitFor();
    await choose(app, 'Let Agents Work Again…');
    await frozen.waitFor({ state: 'detached' });

    // In the confirmation too, the key asks only once while a person types.
    const confirmPage = app.windows().find((window) => window.url().startsWith('countersign://confirm/'));
    await app.evaluate(({ BrowserWindow }, at) => {
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL().startsWith(at))
        ?.focus();
    }, confirmWindow);
    await confirmPage?.getByLabel('Reason for denying (optional)').fill('Wait for Ada');
    await press(app, 'H', ['control', 'shift'], 'confirm');
    await confirmPage?.getByText('again to stop all agents.').waitFor();
    expect(await frozen.count()).toBe(0);
    await press(app, 'H', ['control', 'shift'], 'confirm');
    await frozen.waitFor();
    await confirmPage?.getByText('again to stop all agents.').waitFor({ state: 'detached' });
    await postpone(app);
    await choose(app, 'Let Agents Work Again…');
    await frozen.waitFor({ state: 'detached' });
    await expect.poll(() => labels(app)).not.toContain('Let Agents Work Again…');
    await choose(app, 'Campaigns');
    await page.waitForURL('**/#/campaigns');
  });

  test('takes the theme of its windows from the page', async () => {
    await page.evaluate(() => window.countersign.askHost('desktop.setTheme', { theme: 'dark' }));
    expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
  });

  test('warns that secrets last only until it quits without a vault, and copies diagnostics', async () => {
    await page.getByRole('button', { name: 'secrets last until you quit' }).click();
    await page.getByRole('dialog').getByText('No keychain of this system can be used.').waitFor();
    const answer = await page.evaluate(() => window.countersign.askHost('desktop.copyDiagnostics', {}));
    expect(answer).toEqual({ output: null });
    const text = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(text).toContain('Countersign 0.1.0');
    expect(text).toContain('Vault session (missing)');
    expect(text).toContain('Service ready');
  });
});

test('a desktop app that is ended by a signal after writing settings lets its core finish and exits cleanly', async () => {
  const { app, page } = await opened();
  const userData = await app.evaluate((host) => host.app.getPath('userData'));
  await page.evaluate(() => window.countersign.askHost('desktop.setTheme', { theme: 'dark' }));
  await expect.poll(() => existsSync(join(userData, 'settings.json'))).toBe(true);
  const child = app.process();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  const log = readFileSync(join(userData, 'data/logs/countersign.log'), 'utf8');
  expect(log).toContain('The core has ended');
});
