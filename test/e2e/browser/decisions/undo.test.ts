import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const undoButton = (place: Page | Locator): Locator => place.getByRole('button', { name: 'Undo change' });

async function changed(app: AppDriver, cid: number, label: string, text: string): Promise<string> {
  await app.open(cid);
  await app.edit(cid, label, text);
  const confirmation = await app.review(cid);
  const [id = ''] = await app.waiting(1);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  await confirmation.close();
  return id;
}

async function paused(app: AppDriver, cid: number): Promise<Locator> {
  await app.ask('campaigns.proposeStatus', { cids: [cid], status: 3 });
  await app.waiting(1);
  const panel = await app.open(cid);
  const confirmation = await app.confirmationFrom(panel.getByRole('button', { name: 'Review', exact: true }));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  await confirmation.close();
  await app.turnTo();
  return panel;
}

test('the user undoes a pause from its campaign, which is reviewed as an activation with links in both directions', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const panel = await paused(app, cid);
  const changes = panel.getByRole('tabpanel', { name: 'Last changes' });
  const undo = await app.confirmationFrom(undoButton(changes));
  await undo.armed();
  expect(await undo.title()).toMatch(/^To undo: /);
  await undo.says('can spend immediately');
  await app.turnTo();
  await changes.getByRole('link', { name: 'Undo awaiting your approval' }).waitFor();
  await changes.getByRole('button', { name: 'Review undo' }).waitFor();
  expect(await axeFaults(page, `[aria-label="Campaign ${cid}"]`)).toEqual([]);

  await undo.pressApprove();
  await undo.ends('Verified');
  expect(await second.read(cid)).toMatchObject({ status: 1 });
  await app.turnTo();
  await changes.getByRole('link', { name: 'Undone by a later change' }).waitFor();
  await changes.getByRole('link', { name: 'Undoes an earlier change' }).click();
  await page.getByRole('link', { name: 'Undone by a later change' }).waitFor();
  expect(await undoButton(page).count()).toBe(0);
  expect(await complaints()).toEqual([]);
});

test('the user undoes a change from its proposal and from the ledger, and a reason appears if nothing is left to undo', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const id = await changed(app, cid, 'Name', 'Mine');
  await app.turnTo();

  await app.goTo('Ledger');
  const row = page
    .getByRole('article')
    .filter({ hasText: /verified/i })
    .first();
  await row.getByRole('button').first().click();
  const fromLedger = await app.confirmationFrom(undoButton(row));
  await fromLedger.armed();
  expect(await fromLedger.title()).toMatch(/^To undo: /);
  await app.turnTo();
  await row.getByRole('link', { name: 'Undo awaiting your approval' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await fromLedger.pressDeny('not now');
  await app.waiting(0);
  await fromLedger.close();
  await app.turnTo();

  await page.goto(`${new URL(page.url()).origin}/#/proposals/${id}`);
  const fromProposal = await app.confirmationFrom(undoButton(page));
  await fromProposal.armed();
  await app.turnTo();
  await page.getByRole('link', { name: 'Undo awaiting your approval' }).click();
  await page.getByRole('link', { name: 'Undoes an earlier change' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Undoes an earlier change' }).click();
  await fromProposal.pressDeny();
  await app.waiting(0);
  await app.turnTo();

  expect(await complaints()).toEqual([]);
  await second.change(cid, { name: 'Theirs' });
  await undoButton(page).click();
  await page.getByText(/Nothing is left to undo.*this change left “Mine”/).waitFor();
  await page.getByText('Look at the campaigns themselves.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await app.waiting(0);
});
