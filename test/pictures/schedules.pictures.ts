import { test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { runningClock } from '#test/e2e/driver/running-clock.ts';
import { dueSchedule, dueWords, scheduleStates } from '#test/e2e/driver/schedule-states.ts';
import { takeConfirmation, takePage, themes } from './camera.ts';

const { startSession } = prepareSessions();

test.each(themes)('a report is scheduled and runs, %s', async (theme) => {
  const clock = runningClock();
  const { app } = await startSession({ colorScheme: theme, clock, demoCampaigns: 24 });
  const { page } = app;
  await app.goTo('Schedules');
  await page.getByRole('button', { name: 'Schedule a report…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });
  await dialog.getByLabel('Days before the run').fill('91');
  await dialog.getByLabel('Time zone').fill('Mars/Olympus');
  await dialog.getByRole('button', { name: 'Review schedule' }).click();
  await dialog.getByText('Enter whole days from 1 to 90.').waitFor();
  await takePage(page, 'schedule-refused', theme);
  await dialog.getByLabel('Days before the run').fill('3');
  await dialog
    .getByLabel('Time', { exact: true })
    .fill(new Date(clock.nowMs() + 180_000).toISOString().slice(11, 16));
  await dialog.getByLabel('Time zone').fill('UTC');
  await dialog.getByLabel('Name').fill('Daily traffic');
  await dialog.getByLabel('Traffic source').selectOption('7301');
  await takePage(page, 'schedule-form', theme);
  const asking = await app.confirmationFrom(dialog.getByRole('button', { name: 'Review schedule' }));
  await asking.armed();
  await takeConfirmation(asking.page, 'schedule-confirmation', theme);
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await page.getByRole('link', { name: /“Daily traffic”/ }).click();
  clock.advance(240_000);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  const details = page.getByRole('region', { name: 'Schedule details' });
  await details.getByText(/Report made: 3 rows/).waitFor();
  await takePage(page, 'schedule-made', theme);
});

test.each(themes)('the Schedules page in each state, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, demoCampaigns: 1 });
  const { page } = app;
  const answer = async (output: object): Promise<void> => {
    await page.unroute('**/api/schedules.list');
    await page.route('**/api/schedules.list', (route) => route.fulfill({ json: { output } }));
  };
  for (const [name, [output, words]] of Object.entries(scheduleStates)) {
    await answer(output);
    await app.goTo('Campaigns');
    await app.goTo('Schedules');
    await page.getByText(words).or(page.getByLabel(words)).first().waitFor();
    if (name === 'foreign') await page.getByRole('link', { name: /Nightly/ }).click();
    await takePage(page, `schedules-${name.replaceAll(' ', '-')}`, theme);
  }
  for (const [stage, words] of Object.entries(dueWords)) {
    await answer(dueSchedule(stage));
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByRole('region', { name: 'Schedule details' }).getByText(words).waitFor();
    await takePage(page, `schedule-due-${stage}`, theme);
  }
});
