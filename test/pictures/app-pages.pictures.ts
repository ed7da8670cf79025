import { test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { takePage, themes } from './camera.ts';

const { startSession } = prepareSessions();

test.each(themes)('settings, restoring a backup, and the guide, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Settings');
  await page.getByText('Backup', { exact: true }).waitFor();
  await takePage(page, 'settings', theme);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up…' }).click();
  const backup = await (await download).path();
  await page.getByText(/^Saved as/).waitFor();
  await page.getByText('Backup', { exact: true }).scrollIntoViewIfNeeded();
  await takePage(page, 'settings-backed-up', theme);
  await page.getByLabel('Backup to restore').setInputFiles(backup);
  await page.getByRole('dialog', { name: 'Restore this backup?' }).waitFor();
  await takePage(page, 'restore', theme);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete my data…' }).click();
  await takePage(page, 'delete', theme);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Support bundle…' }).click();
  await page.getByLabel('Content of the support bundle').waitFor();
  await takePage(page, 'support-bundle', theme);
  await page.keyboard.press('Escape');

  await page.evaluate(() => (location.hash = '#/guide'));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await takePage(page, 'guide', theme);
  await page.evaluate(() => (location.hash = '#/guide/guardrails'));
  await page.waitForTimeout(300);
  await takePage(page, 'guide-chapter', theme);
});
