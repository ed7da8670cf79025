import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { expect, test } from 'vitest';
import { isRunning } from '../../scripts/lib/processes.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { untilFound } from '#test/setup/eventually.ts';

const electron = electronForThisFile();

const appPage = (application: ElectronApplication): Promise<Page> =>
  untilFound(() => application.windows().find((one) => one.url().startsWith('countersign://app/')));

test.each([
  ['--remote-debugging-port=0', {}, 'remote-debugging-port'],
  ['-remote-debugging-port=0', {}, 'remote-debugging-port'],
  ['--inspect=0', {}, 'inspect'],
  ['', { ELECTRON_DISABLE_SANDBOX: '1' }, 'no-sandbox'],
])(
  'a packaged app that is started with “%s” and %j quits before it opens a window',
  async (arg, env, named) => {
    const run = await electron.run({
      args: arg === '' ? [] : [arg],
      env: { ELECTRON_FORCE_IS_PACKAGED: '1', ...env },
    });
    expect(run.exitCode).toBe(1);
    expect(run.complaints.join('\n')).toContain(`Countersign does not start with --${named}`);
  },
);

test('a development build has its own name, its own folder and so its own keychain entry', async () => {
  const application = await electron.launch({ userData: null });
  const own = await application.evaluate(({ app }) => ({
    name: app.getName(),
    folder: app.getPath('userData').replace(app.getPath('appData'), ''),
  }));
  expect(own).toEqual({ name: 'Countersign Development', folder: `${sep}Countersign Development` });
  await (await appPage(application)).getByText('400 campaigns', { exact: true }).waitFor();
  await application.close();
});

test('a start without a writable folder prints an error instead of ending silently', async () => {
  const userData = electron.newFolder();
  chmodSync(userData, 0o555);
  const run = await electron.run({ userData });
  expect(run.exitCode).toBe(1);
  expect(run.complaints.join('\n')).toContain('The data folder cannot be used.');
});

test('a refused data folder contains neither a log nor a key afterwards', async () => {
  const [userData, shared] = [electron.newFolder(), electron.newFolder()];
  chmodSync(shared, 0o1777);
  symlinkSync(shared, join(userData, 'data'));
  const run = await electron.run({ userData });
  expect(run.exitCode).toBe(1);
  expect(run.complaints.join('\n')).toContain('The data folder cannot be used.');
  expect(readdirSync(shared)).toEqual([]);
});

test('the app starts although its settings cannot be opened', async () => {
  const userData = electron.newFolder();
  mkdirSync(join(userData, 'settings.json'));
  const application = await electron.launch({ userData });
  const page = await appPage(application);
  await expect.poll(() => page.getByText('400 campaigns', { exact: true }).isVisible()).toBe(true);
  await application.close();
});

test('while the app waits for the vault, a second start brings the window to the front, and diagnostics and Quit work', async () => {
  // The app makes its data folder itself, so that it owns the folder.
  const [userData, data] = [electron.newFolder(), electron.newFolder()];
  symlinkSync(data, join(userData, 'data'));
  writeFileSync(join(data, 'vault.key'), 'damaged');
  const application = await electron.launch({ userData });
  const page = await appPage(application);
  // If the driver asks the page's host before the first paint, it may block the page forever.
  await page.locator('#root > *').first().waitFor();
  const isShown = (): Promise<boolean> =>
    application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some((window) => window.isVisible()),
    );
  await expect.poll(isShown).toBe(true);
  await application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach((window) => window.hide()),
  );
  await expect.poll(isShown).toBe(false);
  expect((await electron.run({ userData })).exitCode).toBe(0);
  await expect.poll(isShown).toBe(true);
  await application.evaluate(({ clipboard, Menu }) => {
    void clipboard.writeText('');
    const help = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    help?.find(({ label }) => label === 'Copy Diagnostics')?.click();
  });
  await expect
    .poll(() => application.evaluate(({ clipboard }) => clipboard.readText()))
    .toContain('Vault not opened yet');
  const { pid = 0 } = application.process();
  await application.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('an installer’s start asks the running app to quit and waits for its end, or ends at once if no app runs', async () => {
  const userData = electron.newFolder();
  const application = await electron.launch({ userData });
  const page = await appPage(application);
  await page.getByText('400 campaigns', { exact: true }).waitFor();
  const { pid = 0 } = application.process();
  const second = await electron.run({ userData, args: ['--quit-for-update'] });
  expect(second.exitCode).toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect((await electron.run({ userData, args: ['--quit-for-update'] })).exitCode).toBe(0);
});
