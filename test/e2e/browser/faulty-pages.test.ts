import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { dialogFault, focusFault } from '../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

/** Changes the texts of a page as a browser's translation does, which ignores a page's request not to be translated. */
function translate(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const element = text.parentElement;
      if (text.data.trim() !== '' && element?.closest('script, style, font') === null) texts.push(text);
    }
    for (const text of texts) {
      const translated = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      translated.append(inner);
      text.replaceWith(translated);
    }
    return texts.length;
  });
}

test('a page that the browser has translated still works: a change is reviewed, and the emergency stop reports its result', async () => {
  const { app, second, complaints } = await startSession({ demoCampaigns: 40 });
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const panel = await app.open(cid);
  expect(await translate(page)).toBeGreaterThan(50);
  await app.edit(cid, 'Daily budget', '77');
  await panel.getByRole('button', { name: /^Review change/ }).waitFor();
  await translate(page);
  const confirmation = await app.review(cid);
  for (const one of [page, confirmation.page])
    await expect.poll(() => one.locator('html').getAttribute('translate')).toBe('no');
  await translate(confirmation.page);
  await confirmation.pressDeny('No');
  await confirmation.ends('Denied');
  await confirmation.close();

  await translate(page);
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await page.getByText('Nothing is paused yet.').waitFor();
  await translate(page);
  await page.getByRole('button', { name: 'Let agents work again' }).click();
  await translate(page);
  await page.getByRole('button', { name: 'Let them work' }).click();
  await page.locator('header').getByText('Agents frozen').waitFor({ state: 'detached' });
  for (const section of ['Proposals', 'Reports', 'Ledger', 'Agents', 'Campaigns'] as const) {
    await translate(page);
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();
    await page.locator('main h1, main [role=grid]').first().waitFor();
  }
  expect(await page.getByText('stopped working').count()).toBe(0);
  expect(await complaints()).toEqual([]);
});

// React fails when it removes an element that other code has already removed.
const take = (element: Locator): Promise<void> => element.evaluate((taken) => taken.remove());

test('a fault in a dialog is named in a dialog that the keyboard closes, and the dialog opens again', async () => {
  const { app } = await startSession({ demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  const search = page.getByRole('combobox', { name: 'Search and commands' });
  await page.keyboard.press('Control+k');
  await search.fill('no such command');
  await take(page.getByText('No results', { exact: true }));
  await search.fill('guide');
  const fault = page.getByRole('dialog', { name: 'This dialog stopped working' });
  await fault.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await expect.poll(() => focusFault(page)).toBeNull();
  expect(await dialogFault(page)).toBeNull();
  await page.keyboard.press('Escape');
  await fault.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await search.fill('guide');
  await page.getByRole('option', { name: 'Guide' }).first().waitFor();
});

test('a fault in one region leaves the title bar, the messages and the emergency stop working, and other pages open', async () => {
  const { app } = await startSession({ demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  const fault = page.getByRole('heading', { name: 'This page stopped working' });
  await app.selectFirst(3);
  await take(page.locator(':has(> [role=toolbar])'));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('clear selection');
  await page.keyboard.press('Enter');
  await fault.waitFor();

  const band = page.getByRole('alert').filter({ hasText: 'Nothing is paused yet.' });
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await band.waitFor();
  await page.locator('header').getByText('Agents frozen').waitFor();
  await app.goTo('Proposals');
  await page.getByRole('heading', { level: 1, name: 'Proposals' }).waitFor();
  await app.goTo('Campaigns');
  await app.until('first row');
  expect(await fault.count()).toBe(0);

  const [pause = ''] = await app.waiting(1);
  await take(band);
  const confirmation = await app.bringUp(pause);
  await confirmation.armed();
  await confirmation.pressDeny('No');
  await confirmation.ends('Denied');
  await app.turnTo();
  await page.getByText('A message cannot be shown here.').waitFor();

  await take(page.locator('header').getByText('Agents frozen'));
  await page.getByRole('button', { name: 'Let agents work again' }).click();
  await page.getByRole('button', { name: 'Let them work' }).click();
  await page.getByText('The title bar stopped working').waitFor();
  await page.locator('header').getByRole('button', { name: 'Emergency stop' }).click();
  const [again = ''] = await app.waiting(1);
  const shown = await app.bringUp(again);
  await shown.armed();
  await take(shown.page.getByRole('article'));
  await shown.page.getByRole('button', { name: 'Deny' }).click();
  await shown.page.getByRole('heading', { name: 'This window stopped working' }).waitFor();
  await app.turnTo();
  await app.until('first row');
});
