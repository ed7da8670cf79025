import { expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('axe finds no accessibility fault on any page and in any window', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [cid = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  await second.change(cid, { payout: 0.02 });
  const found: Record<string, string[]> = {};

  await app.until('first row');
  await app.selectFirst(3);
  found['campaigns'] = await axeFaults(page);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  found['palette'] = await axeFaults(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  found['shortcuts'] = await axeFaults(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter by type' }).click();
  await page.getByRole('menu').waitFor();
  found['menu'] = await axeFaults(page);
  await page.keyboard.press('Escape');

  const panel = await app.open(cid);
  await app.edit(cid, 'Bid', '99');
  await panel.getByText('1 field needs attention').waitFor();
  found['panel'] = await axeFaults(page);
  await app.edit(cid, 'Bid', '0.2');
  const asking = await app.review(cid);
  await asking.armed();
  found['confirmation, asking'] = await axeFaults(asking.page);
  await asking.page.getByLabel(/to confirm/).fill('0.200');
  await asking.pressApprove();
  await asking.ends('Verified');
  found['confirmation, ended'] = await axeFaults(asking.page);

  const { name } = await second.read(other);
  await app.propose(other, { field: 'name', from: String(name), to: 'Waiting for a decision' });
  await app.goTo('Proposals');
  await page.getByRole('link', { name: /^Rename/ }).click();
  await page.getByRole('region', { name: 'What changes' }).waitFor();
  found['proposals'] = await axeFaults(page);
  await page.getByRole('link', { name: /^Raise the bid/ }).click();
  await page.getByText('Stored by the service now').waitFor();
  found['proposals, past'] = await axeFaults(page);
  await app.goTo('Ledger');
  const row = page.getByRole('article').filter({ hasText: 'Saved and verified' });
  await row.getByRole('button').first().click();
  await row.getByRole('listitem', { name: /^Row/ }).first().getByRole('button').first().click();
  await row.getByText('Exact body').waitFor();
  found['ledger'] = await axeFaults(page);

  await app.goTo('Campaigns');
  await app.search('no campaign has this name');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  found['nothing found'] = await axeFaults(page);

  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
});
