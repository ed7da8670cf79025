import { test } from 'vitest';
import type { SchedulesView } from '#shared/app-api/index.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { runningClock } from '#test/e2e/driver/running-clock.ts';
import type { Page } from 'playwright';
import { savePicture, takeConfirmation, type Theme, themes } from './camera.ts';

const { startSession } = prepareSessions();

const sizes = [
  { width: 1280, height: 800 },
  { width: 900, height: 700 },
];

async function takeBoth(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `${name}-${theme}-${size.width}`);
  }
  await page.setViewportSize(sizes[0]!);
}

test.each(themes)('campaigns are paused until a chosen time, then resumed, %s', async (theme) => {
  const clock = runningClock();
  const { app } = await startSession({ colorScheme: theme, clock, demoCampaigns: 60 });
  const { page } = app;
  await app.goTo('Schedules');
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
  await takeBoth(page, 'pause-until-empty', theme);
  await app.goTo('Campaigns');
  await app.until('first row');
  await app.selectFirst(8);
  await takeBoth(page, 'pause-until-bar', theme);
  await page.getByRole('button', { name: 'Pause until…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Review pause' }).click();
  await dialog.getByText('Enter a date.').waitFor();
  await takeBoth(page, 'pause-until-dialog', theme);
  const asking = await app.confirmationFrom(dialog.getByRole('button', { name: /^For the weekend/ }));
  await asking.armed();
  await takeConfirmation(asking.page, 'pause-until-confirmation', theme);
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await app.turnTo();
  for (const hours of [1, 30, 31, 32, 33]) {
    const list = {
      filter: { query: '', status: 1, types: [], sort: 'cid', order: 'desc' },
      page: 1,
      perPage: 5,
    };
    const { rows } = (await app.ask('campaigns.page', list)) as { rows: { cid: number }[] };
    const cids = rows.slice(0, 2).map(({ cid }) => cid);
    const returnAtMs = Date.now() + hours * 3_600_000;
    const { id } = (await app.ask('campaigns.proposeStatus', { cids, status: 3, returnAtMs })) as {
      id: string;
    };
    const pause = await app.bringUp(id);
    await pause.pressApprove();
    await pause.ends('Verified');
    await pause.close();
    await app.turnTo();
  }
  await app.goTo('Schedules');
  await page
    .getByRole('link', { name: /^Return of / })
    .last()
    .click();
  await takeBoth(page, 'pause-until-planned', theme);
  const { returns } = (await app.ask('schedules.list', { read: false })) as SchedulesView;
  clock.advance((returns[0]?.atMs ?? 0) - clock.nowMs());
  const [due = ''] = await app.waiting(1);
  await page
    .getByRole('link', { name: /^Return of / })
    .first()
    .click();
  await takeBoth(page, 'pause-until-due', theme);
  const back = await app.bringUp(due);
  await takeConfirmation(back.page, 'pause-until-return', theme);
});
