import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { axeFaults } from '../driver/axe.ts';

const { startSession } = prepareBrowserSessions();

test('settings survive a reload, fewer days of copies are confirmed before copies are deleted, and the support bundle is shown before it is saved', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.goTo('Settings');
  const setting = page.getByRole('region', { name: 'How long copies of campaigns are kept' });
  await setting.getByRole('button', { name: 'Keep daily copies of campaigns: 30 days' }).waitFor();
  await setting.getByRole('button', { name: /^Keep daily copies of campaigns/ }).click();
  await page.getByRole('option', { name: '7 days' }).click();
  await setting.getByRole('button', { name: 'Remove copies' }).click();
  await expect.poll(() => app.ask('copies.days', {})).toEqual({ days: 7 });

  await page.getByRole('button', { name: 'Theme: Use system theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Rows: Normal' }).click();
  await page.getByRole('option', { name: 'Compact' }).click();
  await page.getByRole('button', { name: /^New changes wait: / }).click();
  await page.getByRole('option', { name: '4 hours', exact: true }).click();
  await page.getByRole('button', { name: 'New changes wait: 4 hours' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Theme: Dark', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Rows: Compact' }).waitFor();
  await page.getByRole('button', { name: 'New changes wait: 4 hours' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Support bundle…' }).click();
  const bundle = page.getByLabel('Content of the support bundle');
  await bundle.waitFor();
  const text = await bundle.innerText();
  expect(text).toContain('Ledger verified');
  expect(text).not.toMatch(/Northwind|\/tmp\/|eyJ/);
  expect(await axeFaults(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save…' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8').trim()).toBe(text.trim());
  expect(await complaints()).toEqual([]);
});

test('the user saves a backup while the app works, restores it after a check, and deletes everything by typing a word', async () => {
  const { app, second, dataFolder } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const bid = Number((Number(before['payout']) * 1.1).toFixed(3));
  const id = await app.propose(cid, { field: 'payout', from: before['payout'], to: bid });
  await app.waiting(1);

  await app.goTo('Settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Back up…' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^countersign-backup-\d{4}-\d{2}-\d{2}-\d{4}\.countersign$/);
  await page.getByText(/^Saved as countersign-backup-/).waitFor();
  const backup = readFileSync(await download.path());
  await page.getByText(/^Last backup: /).waitFor();

  const input = page.getByLabel('Backup to restore');
  await input.setInputFiles({
    name: 'notes.countersign',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('not a backup'),
  });
  await page.getByText('This isn’t a complete Countersign backup.').waitFor();

  await input.setInputFiles({
    name: 'mine.countersign',
    mimeType: 'application/octet-stream',
    buffer: backup,
  });
  const question = page.getByRole('dialog', { name: 'Restore this backup?' });
  await question.getByText('1 open proposal').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const loaded = page.waitForEvent('load');
  await question.getByRole('button', { name: 'Restore this backup' }).click();
  await loaded;
  await page.getByText(/^Replaced data, in the data folder: replaced-/).waitFor();
  expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'withdrawn' });
  await app.goTo('Ledger');
  await page.getByText(/^Restored a backup of /).waitFor();
  await page.getByText(/a backup was restored at row \d+/i).waitFor();
  expect(await app.ask('campaigns.get', { cid })).toMatchObject({
    edit: { campaign: { payout: before['payout'] } },
  });

  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Delete my data…' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete everything?' });
  const press = deletion.getByRole('button', { name: 'Delete everything' });
  await expect.poll(() => press.isDisabled()).toBe(true);
  await deletion.getByLabel('Type “delete” to confirm').fill('delete');
  const again = page.waitForEvent('load');
  await press.click();
  await again;
  await app.until('first row');
  await app.goTo('Settings');
  await page.getByText('No backup yet.').waitFor();
  expect(await app.ask('proposals.list', { which: 'past', before: null, limit: 5 })).toMatchObject({
    total: 0,
  });
  expect(readdirSync(dataFolder).filter((name) => name.startsWith('replaced-'))).toEqual([]);
});
