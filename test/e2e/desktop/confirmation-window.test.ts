import { expect, test } from 'vitest';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';
import {
  chips,
  expectNothingCut,
  expectOnlyOurElements,
  giveHostileNames,
  marks,
  readable,
} from '../driver/hostile.ts';

const session = prepareDesktopSessions().sessionForThisFile();

/** Returns active campaigns that get no hostile names, which go to the first campaigns of the list. */
const ownCampaigns = (): Promise<number[]> => session().second.cids({ status: 1, page: 2, perPage: 20 });

test('the window that shows the outcome of a change can undo it, in a review that has to be armed again', async () => {
  const { app, second, complaints } = session();
  await app.goTo('Campaigns');
  await app.until('first row');
  const [cid = 0] = await ownCampaigns();
  const { name: before } = await second.read(cid);
  await app.open(cid);
  await app.edit(cid, 'Name', 'Renamed by mistake');
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  const writes = second.count('PUT', `/${cid}`);
  await confirmation.page.getByRole('button', { name: 'Undo change' }).click();
  await confirmation.armed();
  expect(await confirmation.title()).toMatch(/^To undo: /);
  expect(second.count('PUT', `/${cid}`)).toBe(writes);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await second.read(cid)).toMatchObject({ name: before });

  expect(await complaints()).toEqual([]);

  // If the undo is impossible, the window shows the reason and keeps the outcome.
  await second.change(cid, { name: 'Of somebody else' });
  await confirmation.page.getByRole('button', { name: 'Undo change' }).click();
  await confirmation.says(/Nothing is left to undo/);
  await confirmation.ends('Verified');
});

test('the keyboard alone leads from the list to an approved change', async () => {
  const { app, second } = session();
  const { page } = app;
  await app.goTo('Campaigns');
  await page.reload();
  await app.turnTo();
  await app.until('first row');
  const [, cid = 0] = await ownCampaigns();

  await page.keyboard.press('/');
  await page.keyboard.type(String(cid));
  // The first digits find other campaigns too, and E would open the first of them.
  await page.locator('[role="grid"][aria-busy="false"][aria-rowcount="2"]').waitFor();
  await app.row(cid).waitFor();
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
  await page.keyboard.press('6');
  await page.getByText(/^Saved and verified: Rename .*Named from the keyboard/).waitFor();
});

test('the confirmation shows every hostile text completely, with its special characters marked, and the change stays clear', async () => {
  const { app, second, complaints } = session();
  const names = await giveHostileNames(second);
  const writes = second.count('PUT', '');

  let last: ConfirmationDriver | undefined;
  for (const [cid, name] of names) {
    const to = [...name].toReversed().slice(0, 250).join('');
    const id = await app.propose(cid, { field: 'name', from: name, to });
    const confirmation = await app.bringUp(id);
    last = confirmation;
    const { page } = confirmation;
    const changes = page.getByRole('region', { name: 'What changes' });
    const line = changes.getByRole('group', { name: 'Name changes' });
    const [before, after] = [line.locator('bdi').nth(0), line.locator('bdi').nth(1)];
    await expect.poll(() => before.textContent()).toBe(readable(name));
    await expect.poll(() => after.textContent()).toBe(readable(to));
    expect(await chips(line)).toBe(marks(name) + marks(to));
    await expectNothingCut(page, page.getByRole('main'));
    await expectOnlyOurElements(page);
    await expect.poll(() => confirmation.approve.isVisible()).toBe(true);
    await expect.poll(() => confirmation.deny.isVisible()).toBe(true);
  }
  expect(second.count('PUT', '')).toBe(writes);
  await last?.close();
  expect(await complaints()).toEqual([]);
});
