import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipFirstStart } from '../driver/app.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

test('deleting all data requires typing a word, and the app starts again like new with another key', async () => {
  const session = await startSession({ demoCampaigns: 12, offersFirstStart: true });
  const { app, dataFolder, second } = session;
  const { page } = app;
  await skipFirstStart(page);
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  const id = await app.propose(cid, { field: 'name', from: name, to: `${String(name)}, renamed` });
  const userData = await session.userData();
  const keyNow = (): string => readFileSync(join(userData, 'data', 'vault.key'), 'utf8');
  const settingsNow = (): unknown => JSON.parse(readFileSync(join(userData, 'settings.json'), 'utf8'));
  const key = keyNow();

  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Theme: Use system theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.getByRole('checkbox', { name: 'Notify me of waiting changes' }).click({ force: true });
  await page.getByRole('checkbox', { name: 'Start Countersign when I sign in' }).click({ force: true });
  await expect.poll(settingsNow).toMatchObject({ theme: 'dark', notifications: false });

  await page.getByRole('button', { name: 'Delete my data…' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete everything?' });
  const press = deletion.getByRole('button', { name: 'Delete everything' });
  await deletion.getByLabel('Type “delete” to confirm').fill('delet');
  await expect.poll(() => press.isDisabled()).toBe(true);
  await deletion.getByLabel('Type “delete” to confirm').fill('delete');
  const loaded = page.waitForEvent('load');
  await press.click();
  await loaded;
  await skipFirstStart(page);
  await app.until('first row');

  expect(await app.ask('proposals.get', { id })).toMatchObject({ code: 'proposal_not_found' });
  expect(await app.ask('ledger.report', {})).toMatchObject({ rows: 1 });
  expect(readdirSync(dataFolder).filter((name) => /^(replaced-|delete|restore)/.test(name))).toEqual([]);
  expect(keyNow()).not.toBe(key);
  expect(settingsNow()).toMatchObject({ theme: 'system', notifications: true, weakVaultConsent: null });
  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Theme: Use system theme' }).waitFor();
  const box = (name: string): Promise<boolean> => page.getByRole('checkbox', { name }).isChecked();
  expect(await box('Notify me of waiting changes')).toBe(true);
  expect(await box('Start Countersign when I sign in')).toBe(false);

  // Secrets sealed after the deletion open at the next start.
  await session.restartCore();
  expect(await app.ask('ledger.verify', {})).toMatchObject({ state: 'verified', keys: [{ endorsed: true }] });
  expect(await session.complaints()).toEqual([]);
});
