import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { approveAll, countPresses } from '../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

test('the user raises six bids by ten percent with six presses and one field, and approves them together', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ perPage: 6 });
  const before = await Promise.all(cids.map((cid) => second.read(cid)));
  const presses = await countPresses(page);
  await app.selectFirst(6);
  await page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change 6 campaigns' }).waitFor();
  await page.getByLabel('Amount').fill('+10%');
  await page
    .getByRole('status')
    .filter({ hasText: /^6 change$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Add to drafts' }).click();
  await page.getByText('Added to the drafts: Bid +10% in 6 campaigns.').waitFor();

  await page.getByRole('link', { name: 'Review drafts' }).click();
  const confirmation = await app.confirmationFrom(page.getByRole('button', { name: 'Review 6 campaigns' }));
  expect(await approveAll(confirmation)).toBeLessThanOrEqual(2);
  await app.turnTo();
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  expect(await presses()).toBe(6);
  for (const { cid, payout } of before) {
    expect((await second.read(Number(cid)))['payout']).toBeCloseTo(Number(payout) * 1.1, 6);
  }
  await untilInLedger(app, 'Saved and verified: Raise the bid');
  expect(await complaints()).toEqual([]);
});
