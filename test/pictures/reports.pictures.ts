import { expect, test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { takePage, themes } from './camera.ts';
import { untilReportSettles } from '#test/e2e/driver/reports.ts';

const { startSession } = prepareSessions();

test.each(themes)('reports, marks, alerts and schedules, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, requestMs: 10_000 });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Reports');
  await page.locator('[role=row][aria-busy=true]').first().waitFor();
  await takePage(page, 'reports-reading', theme);
  await untilReportSettles(page);
  await page.getByRole('button', { name: 'Sub-ID', exact: true }).click();
  await untilReportSettles(page);
  await takePage(page, 'reports', theme);

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await untilReportSettles(page);
  await page
    .getByRole('row', { name: /United States/ })
    .first()
    .focus();
  await page.keyboard.press('ArrowRight');
  await untilReportSettles(page);
  await takePage(page, 'reports-search', theme);

  await page.getByRole('button', { name: 'Marks' }).click();
  await page.getByText('No marks yet').waitFor();
  await takePage(page, 'reports-marks-empty', theme);
  await page.getByRole('button', { name: /^Alerts/ }).click();
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  await takePage(page, 'reports-alert-form', theme);
  await app.goTo('Schedules');
  await page.getByText('No schedules yet').waitFor();
  await takePage(page, 'schedules-empty', theme);
  expect(await page.getByRole('alert').count()).toBe(0);
});
