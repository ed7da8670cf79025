import type { Page } from 'playwright';
import { test } from 'vitest';
import { reportStates } from '#test/e2e/driver/report-states.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { savePicture, takePage, themes } from './camera.ts';
import { turnToReport, untilReportSettles } from '#test/e2e/driver/reports.ts';

const { startSession } = prepareSessions();

const tid = 7_301;

async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await untilReportSettles(page);
}

const table = '[aria-label="Report rows"]';

test.each(themes)('a report in each loading state, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  let source = 9_000;
  for (const [name, state] of Object.entries(reportStates)) {
    const { answer, words, parameters = '' } = state();
    await page.unroute('**/api/reports.page');
    await page.route('**/api/reports.page', (route) => route.fulfill({ json: { output: answer } }));
    source += 1;
    await page.evaluate(
      (hash) => void (location.hash = hash),
      `#/reports?xml=${source}&range=last7&compare=none${parameters}`,
    );
    await page
      .getByRole('main')
      .getByText(words[0] ?? '')
      .first()
      .waitFor();
    await takePage(page, `report-state-${name.replace(/[^a-z]+/gu, '-')}`, theme);
  }
});

test.each(themes)('a report with comparison, heat map, selected rows and details, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last30&compare=weekdays&by=geo`);
  await takePage(page, 'report-compared', theme);
  await page.getByRole('button', { name: /^Days:/ }).click();
  await page.getByRole('table', { name: 'Calendar' }).waitFor();
  await takePage(page, 'report-calendar', theme);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Heat').check({ force: true });
  await takePage(page, 'report-columns', theme);
  await page.keyboard.press('Escape');
  await page.locator(`${table} [style*="--heat"]`).first().waitFor();
  await takePage(page, 'report-heat', theme);
  await page.locator(table).focus();
  await page.keyboard.press('e');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await page.getByText('2 selected').waitFor();
  await takePage(page, 'report-selection', theme);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Rows of the panel' }).getByRole('row').nth(5).waitFor();
  await takePage(page, 'report-panel', theme);
  await page.keyboard.press('Escape');
  await page.emulateMedia({ media: 'print', colorScheme: theme });
  await page.locator('section[data-paper]').getByRole('rowheader', { name: 'Total' }).waitFor();
  await savePicture(page, `report-print-${theme}`);
  await page.emulateMedia({ media: 'screen', colorScheme: theme });
});
