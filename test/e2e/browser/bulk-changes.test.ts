import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import type { AppDriver } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** Counts the presses of a person in the app's page. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = { presses: 0 };
    Object.assign(window, { counter });
    // A box is a label and its input: one press of a person is trusted once.
    document.addEventListener('pointerdown', () => (counter.presses += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { counter: { presses: number } }).counter.presses);
}

async function draftsOf(app: AppDriver): Promise<CampaignDraftView[]> {
  const { campaigns } = (await app.ask('drafts.get', { cids: null })) as { campaigns: CampaignDraftView[] };
  return campaigns;
}

const add = (page: Page): Locator => page.getByRole('button', { name: 'Add to drafts' });

test('six bids rise by ten percent with five presses and one field, and one undo takes it back', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const presses = await countPresses(page);
  await app.selectFirst(6);
  await page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change 6 campaigns' }).waitFor();
  await page.getByLabel('Amount').fill('+10%');
  await page.getByRole('status').filter({ hasText: '6 change, 0 no change, 0 problems' }).waitFor();
  await page.screenshot({ path: '/tmp/bulk-light.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '/tmp/bulk-dark.png' });
  await add(page).click();
  await page.getByText('Added to the drafts: Bid +10% in 6 campaigns.').waitFor();
  expect(await presses()).toBe(4);
  const drafts = await draftsOf(app);
  expect(drafts.map(({ fields }) => fields['payout']?.operations)).toEqual(
    Array.from({ length: 6 }, () => [{ kind: 'percent', percent: '10' }]),
  );
  await page.screenshot({ path: '/tmp/bulk-added.png' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await draftsOf(app)).length).toBe(0);
  expect(second.count('PUT', '/')).toBe(0);
});
