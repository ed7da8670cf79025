import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { electronForThisFile } from '#test/servers/electron-runtime.ts';
import { foreignKey, startPublisher, type UpdatePublisher } from '#test/servers/update-server.ts';
import { startDesktopScene, type DesktopScene } from './confirmation/scene.ts';

const bed = electronForThisFile();

/** A program that records that it was started again. */
const oldApp = '#!/bin/sh\necho started > "$0.again"\n';
const newApp = Buffer.from('#!/bin/sh\necho started > "$APPIMAGE.started"\n');

interface UpdatingApp {
  scene: DesktopScene;
  publisher: UpdatePublisher;
  appImage: string;
}

/**
 * Starts the app as an AppImage that gets updates from the test's server, whose authority the test entry trusts. `content` is
 * the folder of the mounted AppImage, by default the runtime's folder.
 */
async function startUpdatingApp(content = bed.runtime): Promise<UpdatingApp> {
  const { env, publisher, appImage } = await publishFor(content);
  return { scene: await startDesktopScene(bed, undefined, env), publisher, appImage };
}

/** Starts a publisher, and returns it with the environment of an app that gets its updates. */
async function publishFor(content: string) {
  const publisher = await startPublisher(newApp);
  publisher.publish({});
  const folder = bed.newFolder();
  const [appImage, updates] = [join(folder, 'Countersign.AppImage'), join(folder, 'updates.json')];
  writeFileSync(appImage, oldApp);
  writeFileSync(
    updates,
    JSON.stringify({ source: publisher.source, authority: publisher.service.authority }),
  );
  for (const file of [appImage, updates]) chmodSync(file, 0o755);
  const env = { APPIMAGE: appImage, APPDIR: content, COUNTERSIGN_TEST_UPDATES: updates };
  return { env, publisher, appImage };
}

async function openConfirmation(scene: DesktopScene): Promise<void> {
  const [proposal = ''] = await scene.propose(1);
  await scene.review(proposal);
  await expect.poll(() => scene.state('confirm')).toMatchObject({ visible: true });
}

async function openUpdates({ electron, appPage }: DesktopScene): Promise<void> {
  await electron.evaluate(({ Menu }) => {
    const help = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    help?.find(({ label }) => label === 'Updates…')?.click({});
  });
  await appPage.getByRole('dialog', { name: 'Updates' }).waitFor();
}

test('an update with a foreign signature is refused with a message; the publisher’s update is verified, waits for the open confirmation, and replaces the app', async () => {
  const { scene, publisher, appImage } = await startUpdatingApp();
  const { appPage, electron } = scene;
  await openConfirmation(scene);
  await openUpdates(scene);
  const dialog = appPage.getByRole('dialog', { name: 'Updates' });
  await dialog.getByText('Installed: Countersign').waitFor();
  publisher.publish({}, foreignKey());
  await dialog.getByRole('button', { name: 'Check for updates' }).click();
  await dialog.getByText('was not signed by the publisher of Countersign').waitFor();
  publisher.publish({});
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByText('The ledger can be searched').waitFor();
  await appPage.getByRole('button', { name: 'update 1.1.0 available', includeHidden: true }).waitFor();
  await dialog.getByRole('button', { name: /^Download / }).click();
  await dialog.getByRole('button', { name: 'Install and restart' }).click();
  await dialog.getByText('Installs when the open confirmation is closed.').waitFor();
  expect(readFileSync(appImage, 'utf8')).toBe(oldApp);

  const ended = once(electron.process(), 'exit');
  await scene.closeConfirmation();
  await ended;
  expect(readFileSync(appImage)).toEqual(newApp);
  await expect.poll(() => existsSync(`${appImage}.started`)).toBe(true);
  await scene.close();
});

test('an update whose file changed before its installation is not installed, and the existing AppImage starts again', async () => {
  const { scene, appImage } = await startUpdatingApp();
  const { appPage, electron } = scene;
  await openConfirmation(scene);
  await openUpdates(scene);
  const dialog = appPage.getByRole('dialog', { name: 'Updates' });
  await dialog.getByRole('button', { name: 'Check for updates' }).click();
  await dialog.getByRole('button', { name: /^Download / }).click();
  await dialog.getByRole('button', { name: 'Install and restart' }).click();
  await dialog.getByText('Installs when the open confirmation is closed.').waitFor();
  const ended = once(electron.process(), 'exit');
  // The download is verified before the app ends, and again when everything else has ended.
  await electron.evaluate(
    ({ app }, downloads) => {
      app.once('before-quit', () => {
        const { readdirSync, appendFileSync } = process.getBuiltinModule('node:fs');
        for (const entry of readdirSync(downloads, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) appendFileSync(`${entry.parentPath}/${entry.name}`, 'more');
      });
    },
    await downloadsOf(scene),
  );
  await scene.closeConfirmation();
  await ended;
  expect(readFileSync(appImage, 'utf8')).toBe(oldApp);
  await expect.poll(() => existsSync(`${appImage}.again`)).toBe(true);
  await scene.close();
});

const downloadsOf = ({ electron }: DesktopScene): Promise<string> =>
  electron.evaluate(({ app }) => `${app.getPath('userData')}/updates`);

test('a version whose core cannot start can be updated and can save a support bundle', async () => {
  const { env } = await publishFor(bed.runtime);
  bed.stage(inject('hostBundles'), 'out/main');
  const electron = await bed.launch({ main: 'out/main/test-main.cjs', args: ['core-never.js'], env });
  const page = await electron.firstWindow();
  await page.getByRole('heading', { name: 'Countersign stopped' }).waitFor();

  await page.getByRole('button', { name: 'Updates…' }).click();
  const updates = page.getByRole('dialog', { name: 'Updates' });
  await updates.getByRole('button', { name: 'Check for updates' }).click();
  await updates.getByText('The ledger can be searched').waitFor();
  await updates.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Support bundle…' }).click();
  const content = page.getByLabel('Content of the support bundle');
  await content.getByText('A part could not be collected').waitFor();
  await expect.poll(() => content.innerText()).toContain('Core stopped (core_stopped_often');
  await electron.close();
});

test('an app started inside another AppImage’s terminal does not mistake that AppImage for itself, neither for updates nor at login', async () => {
  const { scene, appImage } = await startUpdatingApp(bed.newFolder());
  await openUpdates(scene);
  const dialog = scene.appPage.getByRole('dialog', { name: 'Updates' });
  await dialog.getByText('Updates come from your package manager').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await scene.appPage.getByRole('link', { name: 'Settings' }).click();
  await scene.appPage
    .getByRole('checkbox', { name: 'Start Countersign when I sign in to this computer' })
    .click({ force: true });
  const autostart = await scene.electron.evaluate(() => `${process.env['XDG_CONFIG_HOME']}/autostart`);
  await expect.poll(() => existsSync(autostart) && readdirSync(autostart)).toHaveLength(1);
  const [entry = ''] = readdirSync(autostart);
  const program = await scene.electron.evaluate(() => process.execPath);
  const text = readFileSync(join(autostart, entry), 'utf8');
  expect(text).toContain(`Exec="${program}"`);
  expect(text).not.toContain(appImage);
  await scene.close();
});
