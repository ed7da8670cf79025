import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { electronForThisFile } from '#test/servers/electron-runtime.ts';
import { foreignKey, startPublisher, type UpdatePublisher } from '#test/servers/update-server.ts';
import { patience, startDesktopScene, type DesktopScene } from './confirmation/scene.ts';

const bed = electronForThisFile();

const oldApp = '#!/bin/sh\n';
/** Says that it was started. */
const newApp = Buffer.from('#!/bin/sh\necho started > "$APPIMAGE.started"\n');

interface UpdatingApp {
  scene: DesktopScene;
  publisher: UpdatePublisher;
  /** The path of the running AppImage. */
  appImage: string;
}

/** The app as an AppImage whose updates come from a server of the test; the test entry names its authority. */
async function startUpdatingApp(): Promise<UpdatingApp> {
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
  const env = { APPIMAGE: appImage, COUNTERSIGN_TEST_UPDATES: updates };
  return { scene: await startDesktopScene(bed, undefined, env), publisher, appImage };
}

/** The person opens Help › Updates… */
async function openUpdates({ electron, appPage }: DesktopScene): Promise<void> {
  await electron.evaluate(({ Menu }) => {
    const help = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    help?.find(({ label }) => label === 'Updates…')?.click({});
  });
  await appPage.getByRole('dialog', { name: 'Updates' }).waitFor(patience);
}

test('an update is shown, downloaded and verified, waits for the open confirmation, and opens in the place of the old app', async () => {
  const { scene, appImage } = await startUpdatingApp();
  const { appPage, electron } = scene;
  const [proposal = ''] = await scene.propose(1);
  await scene.review(proposal);
  await expect.poll(() => scene.state('confirm'), patience).toMatchObject({ visible: true });

  await openUpdates(scene);
  const dialog = appPage.getByRole('dialog', { name: 'Updates' });
  await dialog.getByText('Installed: Countersign').waitFor(patience);
  await dialog.getByRole('button', { name: 'Look for updates' }).click();
  await dialog.getByText('The ledger can be searched').waitFor(patience);
  await appPage
    .getByRole('button', { name: 'update 1.1.0 available', includeHidden: true })
    .waitFor(patience);
  await dialog.getByRole('button', { name: /^Download / }).click();
  await dialog.getByRole('button', { name: 'Install and restart' }).click();
  await dialog.getByText('Installs when the open confirmation is closed.').waitFor(patience);
  expect(readFileSync(appImage, 'utf8')).toBe(oldApp);

  const ended = once(electron.process(), 'exit');
  await scene.tell('close');
  await ended;
  expect(readFileSync(appImage)).toEqual(newApp);
  await expect.poll(() => existsSync(`${appImage}.started`), patience).toBe(true);
  await scene.close();
});

test('an update that somebody else has signed is refused in words, and the app goes on', async () => {
  const { scene, publisher, appImage } = await startUpdatingApp();
  publisher.publish({}, foreignKey());
  await openUpdates(scene);
  const dialog = scene.appPage.getByRole('dialog', { name: 'Updates' });
  await dialog.getByRole('button', { name: 'Look for updates' }).click();
  await dialog.getByText('was not signed by the publisher of Countersign').waitFor(patience);
  await dialog.getByRole('button', { name: 'Look again' }).waitFor(patience);
  expect(readFileSync(appImage, 'utf8')).toBe(oldApp);
  await scene.close();
});
