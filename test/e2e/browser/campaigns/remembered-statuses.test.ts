import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import type { ConfirmationDriver } from '../../driver/confirmation.ts';
import type { SecondClient } from '../../driver/second-client.ts';

const { startSession } = prepareBrowserSessions();

const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selected campaigns' });

/** Selects these campaigns one by one, finding each by its id. Each search hides the campaigns selected before. */
async function select(app: AppDriver, cids: readonly number[]): Promise<void> {
  for (const [index, cid] of cids.entries()) {
    await app.search(String(cid));
    await app.page.locator('[role="grid"][aria-busy="false"][aria-rowcount="2"]').waitFor();
    await app.row(cid).getByRole('checkbox').click({ force: true });
    await app.page
      .getByRole('status')
      .filter({ hasText: index === 0 ? '1 selected' : `1 selected, ${index} not shown` })
      .waitFor();
  }
  await app.search('');
  await app.page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${cids.length} selected(?!.* not shown)`, 'u') })
    .waitFor();
  await app.until('list at rest');
}

async function approveAndClose(asking: ConfirmationDriver, app: AppDriver): Promise<void> {
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await app.turnTo();
}

const statusOf = async (second: SecondClient, cid: number): Promise<unknown> =>
  (await second.read(cid))['status'];

test('a mixed activation lists how its campaigns were stopped and can be extended, and the row of a waiting change leads to it by mouse and keyboard', async () => {
  const { app, second } = await startSession({ demoCampaigns: 40 });
  const { page } = app;
  const mine = await second.cids({ status: 1, perPage: 2 });
  const [paused = 0] = await second.cids({ status: 3, perPage: 1 });
  const [removed = 0] = await second.cids({ status: 2, perPage: 1 });
  const [pending = 0] = await second.cids({ status: 0, perPage: 1 });
  await select(app, [...mine, paused]);
  await approveAndClose(
    await app.confirmationFrom(bar(page).getByRole('button', { name: /^Pause(?! until)/ })),
    app,
  );

  await select(app, [...mine, paused, removed, pending]);
  await bar(page).getByRole('button', { name: 'Activate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate 5 selected campaigns' });
  const box = (name: string): Locator => dialog.getByRole('checkbox', { name });
  await box('2 Paused by you').waitFor();
  await expect.poll(() => box('2 Paused by you').isChecked()).toBe(true);
  for (const other of ['1 Paused, not through this app', '1 Suspended, not through this app']) {
    expect(await box(other).isChecked()).toBe(false);
    await expect.poll(() => box(other).isEnabled()).toBe(true);
  }
  expect(await box('1 Pending').isEnabled()).toBe(false);
  expect(await axeFaults(page)).toEqual([]);

  const own = await app.confirmationFrom(dialog.getByRole('button', { name: 'Activate 2' }));
  expect(await own.title()).toBe('Activate 2 campaigns');
  expect(await own.words()).not.toContain('stopped in different ways');
  await own.pressDeny();
  await own.ends('Denied');
  await own.close();
  await app.turnTo();

  // An action clears the selection, whatever was decided, and the focus returns to the list.
  await bar(page).waitFor({ state: 'detached' });
  await page.getByRole('grid', { name: 'Campaigns' }).and(page.locator(':focus')).waitFor();
  await select(app, [...mine, paused, removed, pending]);

  // With the keyboard alone: the dialog has the focus, and each part is a checkbox.
  await bar(page).getByRole('button', { name: 'Activate' }).press('Enter');
  await dialog.getByRole('button', { name: 'Activate 2' }).and(page.locator(':focus')).waitFor();
  await box('1 Suspended, not through this app').focus();
  await page.keyboard.press('Space');
  const wide = await app.confirmationFrom(() =>
    dialog.getByRole('button', { name: 'Activate 3' }).press('Enter'),
  );
  expect(await wide.title()).toBe('Activate 3 campaigns');
  await wide.says('1 campaign is Suspended, not through this app. Activating brings it back.');
  await wide.says('They have different statuses now: 2 Paused by you; 1 Suspended, not through this app.');
  expect(await axeFaults(wide.page)).toEqual([]);
  await approveAndClose(wide, app);
  for (const one of [...mine, removed]) expect(await statusOf(second, one)).toBe(1);
  expect(await statusOf(second, paused)).toBe(3);

  // A row shows that its change awaits a decision, and links to it.
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await select(app, [cid]);
  await approveAndClose(await app.confirmationFrom(bar(page).getByRole('button', { name: 'Remove' })), app);
  await select(app, [cid]);
  await app.search(String(cid));
  const mark = app.row(cid).getByRole('link', { name: /^Waiting for your approval: Activate / });
  expect(await mark.count()).toBe(0);
  const activation = await app.confirmationFrom(bar(page).getByRole('button', { name: 'Activate' }));
  await activation.says(/You suspended it on \d+ \w+ \d{4}\. Activating brings it back\./);
  await activation.close();
  await app.turnTo();

  await mark.waitFor();
  await expect.poll(() => mark.innerText()).toBe('Waiting');
  await mark.press('Enter');
  const detail = page.getByRole('region', { name: 'Proposal', exact: true });
  await detail.getByText(/You suspended it on/).waitFor();
  await app.goTo('Campaigns');
  await mark.click();
  await detail.waitFor();
  expect(await page.evaluate(() => location.hash)).toMatch(/^#\/proposals\/./);
  const asking = await app.confirmationFrom(page.getByRole('button', { name: 'Review change' }));
  await asking.pressDeny();
  await asking.ends('Denied');
  await asking.close();
  await app.turnTo();
  await app.goTo('Campaigns');
  await app.row(cid).waitFor();
  await mark.waitFor({ state: 'detached' });
});
