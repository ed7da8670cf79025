import { expect, test } from 'vitest';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

test('the keyboard alone leads from the list to an approved change', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [, , , cid = 0] = await second.cids({ perPage: 4 });

  await page.keyboard.press('/');
  await page.keyboard.type(String(cid));
  await page.getByText('1 of 400 campaigns').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await app.panel(cid).getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Named from the keyboard');
  const confirmation = await app.confirmationFrom(() => page.keyboard.press('Control+Enter'));
  await confirmation.armed();
  await confirmation.page.keyboard.press('Tab');
  await confirmation.page.keyboard.press('Tab');
  await confirmation.page.keyboard.press('Space');
  await confirmation.ends('Verified');
  expect((await second.read(cid))['name']).toBe('Named from the keyboard');

  await app.turnTo();
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.getByText('Saved and verified: Rename').waitFor();
});
