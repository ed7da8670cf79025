import { expect, test } from 'vitest';
import type { CampaignDetail, SchedulesView } from '#shared/app-api/index.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { focusFault } from '../../driver/presses.ts';
import { runningClock } from '../../driver/running-clock.ts';

const { startSession } = prepareBrowserSessions();

test('with the keyboard alone the user pauses campaigns until a typed time, and moves, confirms and cancels their return', async () => {
  const clock = runningClock();
  const { app, second, complaints } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  const { keyboard } = page;
  const found: Record<string, string[]> = {};
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await app.search(String(cid));
  await page.locator('[role="grid"][aria-busy="false"][aria-rowcount="2"]').waitFor();
  await app.row(cid).waitFor();
  await page.getByRole('grid', { name: 'Campaigns' }).focus();
  await keyboard.press('Control+a');

  // From the search of commands, and away with Escape.
  const dialog = page.getByRole('dialog', { name: 'Pause 1 running campaign until…' });
  async function open(): Promise<void> {
    await keyboard.press('Control+k');
    await keyboard.type('pause until');
    await keyboard.press('Enter');
    await dialog
      .getByRole('button', { name: /^(For the weekend|Until tomorrow)/ })
      .first()
      .and(page.locator(':focus'))
      .waitFor();
  }
  await open();
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focusFault(page)).toBeNull();

  await open();
  await dialog.getByLabel('Date', { exact: true }).focus();
  await keyboard.press('Enter');
  await dialog.getByText('Enter a date.').waitFor();
  found['dialog'] = await axeFaults(page);
  await keyboard.type('+3d');
  await dialog.getByLabel('Time', { exact: true }).fill('07:30');
  const asking = await app.confirmationFrom(() => keyboard.press('Enter'));
  expect(await asking.title()).toMatch(/^Pause “.+” until \w{3} \d+ \w{3} \d{4}, 07:30$/);
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await app.turnTo();
  await page.getByRole('grid', { name: 'Campaigns' }).and(page.locator(':focus')).waitFor();

  await app.goTo('Schedules');
  await page.getByRole('region', { name: 'Next 7 days' }).getByText('1 campaign return').waitFor();
  await page.getByRole('link', { name: /^Return of / }).press('Enter');
  const details = page.getByRole('region', { name: 'Schedule details' });
  await details.getByText('Planned', { exact: true }).waitFor();
  found['planned'] = await axeFaults(page);
  await details.getByRole('button', { name: 'Change time…' }).press('Enter');
  const moving = page.getByRole('dialog', { name: 'Change the time of the return' });
  await moving
    .getByRole('button', { name: /, 08:00$/ })
    .first()
    .press('Enter');
  await moving.waitFor({ state: 'detached' });
  await details.getByText(/, 08:00 \(/).waitFor();
  await expect.poll(() => focusFault(page)).toBeNull();

  const { returns } = (await app.ask('schedules.list', { read: false })) as SchedulesView;
  clock.advance((returns[0]?.atMs ?? 0) - clock.nowMs());
  const [due = ''] = await app.waiting(1);
  await details.getByText('This return awaits your approval.').waitFor();
  found['due'] = await axeFaults(page);
  const back = await app.bringUp(due);
  await back.pressDeny();
  await back.ends('Denied');
  await back.close();
  await details.getByText('Denied', { exact: true }).waitFor();
  const { edit } = (await app.ask('campaigns.get', { cid })) as CampaignDetail;
  expect(edit.campaign['status']).toBe(3);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  expect(await complaints()).toEqual([]);
});

test('the user prepares a planned return immediately or cancels it, and the list then offers to resume the campaigns', async () => {
  const { app, second } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ status: 1, perPage: 2 });
  const returnAtMs = Date.now() + 3 * 86_400_000;
  for (const cid of cids) {
    const { id } = (await app.ask('campaigns.proposeStatus', { cids: [cid], status: 3, returnAtMs })) as {
      id: string;
    };
    const asking = await app.bringUp(id);
    await asking.pressApprove();
    await asking.ends('Verified');
    await asking.close();
    await app.turnTo();
  }
  await app.goTo('Schedules');
  const links = page.getByRole('link', { name: /^Return of / });
  await expect.poll(() => links.count()).toBe(2);
  await links.first().click();
  const details = page.getByRole('region', { name: 'Schedule details' });
  const now = await app.confirmationFrom(details.getByRole('button', { name: 'Return now…' }));
  expect(await now.title()).toMatch(/^Return from a pause: Activate /);
  await now.close();
  await app.turnTo();
  await page.getByRole('link', { name: /^Return of .*Planned$/ }).click();
  await details.getByRole('button', { name: 'Cancel return' }).click();
  await expect.poll(() => links.count()).toBe(1);
  await app.goTo('Campaigns');
  await page.getByRole('button', { name: 'Resume it…' }).waitFor();
});
