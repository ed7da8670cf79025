import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { SchedulesView } from '#shared/app-api/index.ts';
import { dateOfDay, dayNumber } from '#shared/campaign/time/calendar.ts';
import { dayAndDateText } from '#shared/lib/date-text.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { countPresses } from '../driver/presses.ts';
import { runningClock } from '../driver/running-clock.ts';
import type { AppDriver } from '../driver/app.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';

const { startSession } = prepareBrowserSessions();

async function countPressesAndKeys(page: Page): Promise<() => Promise<number>> {
  const presses = await countPresses(page);
  await page.evaluate(() => {
    const { counter } = window as unknown as { counter: { presses: number } };
    document.addEventListener('keydown', () => (counter.presses += 1), true);
  });
  return presses;
}

async function approve(asking: ConfirmationDriver, app: AppDriver): Promise<void> {
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await app.turnTo();
}

test('a client is paused for the weekend with two presses and an approval, and brought back with one', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const filter = { query: 'Kestrel', status: null, types: [], sort: 'cid', order: 'desc' };
  const list = { filter, page: 1, perPage: 200 };
  const rowsOf = async (): Promise<{ cid: number; status: number }[]> =>
    ((await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] }).rows;
  await app.until('first row');
  for (const { cid, status } of await rowsOf()) if (status === 4) await second.change(cid, { status: 1 });
  const before = await rowsOf();
  const running = before.filter(({ status }) => status === 1);
  expect(running.length).toBeGreaterThan(1);
  expect(running.length).toBeLessThan(before.length);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await app.search('Kestrel');
  await page.getByText(`${before.length} of 400 campaigns`).waitFor();

  const presses = await countPresses(page);
  await page.getByRole('checkbox', { name: /^Select all \d+ loaded campaigns/ }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  await approve(await app.confirmationFrom(bar.getByRole('button', { name: /^Pause(?! until)/ })), app);
  expect(await presses()).toBe(2);
  for (const { cid } of running) expect((await second.read(cid))['status']).toBe(3);
  expect(await axeFaults(page)).toEqual([]);

  const back = await app.confirmationFrom(page.getByRole('button', { name: /^Resume / }));
  await back.page.getByLabel(/Type the number of campaigns/).fill(String(running.length));
  await approve(back, app);
  expect(await presses()).toBe(3);
  expect(await rowsOf()).toEqual(before);
});

test('a client is paused until Monday and brought back with at most ten presses and keys, and nothing is remembered by the buyer', async () => {
  const clock = runningClock();
  const { app } = await startSession({ clock });
  const { page } = app;
  await app.until('first row');
  const filter = { query: 'Kestrel', status: null, types: [], sort: 'cid', order: 'desc' };
  const list = { filter, page: 1, perPage: 200 };
  const { rows } = (await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] };
  const running = rows.filter(({ status }) => status === 1 || status === 4);

  const presses = await countPressesAndKeys(page);
  await page.keyboard.press('/');
  await page.keyboard.type('kes');
  await page.getByText(`${rows.length} of 400 campaigns`).waitFor();
  await page.getByRole('checkbox', { name: /^Select all \d+ loaded campaigns/ }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  await bar.getByRole('button', { name: 'Pause until…' }).click();
  const dialog = page.getByRole('dialog', { name: `Pause ${running.length} running campaigns until…` });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const asking = await app.confirmationFrom(
    dialog.getByRole('button', { name: /^(Until Monday|Until tomorrow) morning/ }).last(),
  );
  expect(await asking.title()).toMatch(/ until Mon \d+ \w+ \d{4}, 08:00$/);
  await asking.says(/Returns Mon .*, 08:00 \(UTC\): will ask you again\./);
  expect(await axeFaults(asking.page)).toEqual([]);
  const approvals = 1;
  await approve(asking, app);
  expect((await presses()) + approvals).toBeLessThanOrEqual(8);

  const { returns } = (await app.ask('schedules.list', { read: false })) as SchedulesView;
  clock.advance((returns[0]?.atMs ?? 0) - clock.nowMs());
  const [due = ''] = await app.waiting(1);
  const back = await app.bringUp(due);
  expect(await back.words()).toContain('proposed by schedule “Pause until Mon ');
  const typed = back.page.getByLabel(/Type the number of campaigns/);
  if ((await typed.count()) > 0) await typed.fill(String(running.length));
  await approve(back, app);
  const after = (await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] };
  expect(after.rows).toEqual(rows);
});

test('an end date is extended in the calendar of the campaign and stored as it was shown, and by typing in the panel beside a list that stays', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const today = dayNumber(new Date().toISOString().slice(0, 10)) ?? 0;
  // The tenth of a month, so that the calendar shows a later day on the same page.
  const soon = `${dateOfDay(today + 40).slice(0, 7)}-10`;
  const flight = { enable_time: 1, create: dateOfDay(today), create_time: '00:00' };
  await second.change(cid, { ...flight, expire: soon, expire_time: '23:59' });
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/budget`);
  const region = page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  await expect.poll(() => region.getByLabel('End date', { exact: true }).inputValue()).toBe(soon);

  const presses = await countPresses(page);
  await region.getByRole('button', { name: 'Choose end date' }).click();
  await page.getByRole('dialog').getByText('24', { exact: true }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();
  await approve(await app.confirmationFrom(region.getByRole('button', { name: 'Review change' })), app);
  expect(await presses()).toBe(3);
  expect((await second.read(cid))['expire']).toBe(`${soon.slice(0, 8)}24`);

  await app.goTo('Campaigns');
  await app.until('first row');
  const places = async (): Promise<(number | undefined)[]> => {
    const [list, bid] = [
      page.getByRole('grid'),
      page.getByRole('columnheader', { name: 'Bid', exact: true }),
    ];
    const [top, edge] = [(await list.boundingBox())?.y, await bid.boundingBox()];
    const width = await list.evaluate(({ clientWidth, scrollLeft }) => clientWidth + scrollLeft);
    const left = (await list.boundingBox())?.x ?? 0;
    // How far the column extends beyond the list.
    return [top, Math.max(0, (edge?.x ?? 0) + (edge?.width ?? 0) - left - width)];
  };
  const panel = app.panel(cid);
  const end = panel.getByLabel('End date', { exact: true });
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const before = await places();
    await page.keyboard.press('Home');
    await app.row(cid).getByRole('gridcell').nth(1).click();
    await end.waitFor();
    const after = await places();
    expect([width, after[0]]).toEqual([width, before[0]]);
    if (width < 1280) await page.getByRole('button', { name: 'Close the campaign' }).click();
    else expect([before[1], after[1]]).toEqual([0, 0]);
  }
  const later = dateOfDay((dayNumber(`${soon.slice(0, 8)}24`) ?? 0) + 14);
  await end.fill('+14d');
  await panel.getByText(`${dayAndDateText(later)}, 14 days later, 23:59`).waitFor();
  await expect.poll(() => end.inputValue()).toBe('+14d');
  await end.press('Enter');
  await expect.poll(() => end.inputValue()).toBe(later);
  await panel.getByRole('button', { name: 'Flight: On' }).click();
  await page.getByRole('option', { name: 'Off: no start, no end' }).click();
  await panel.getByText('Ignored while the flight is off').waitFor();
});
