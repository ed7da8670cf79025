import { copyFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { pictureFile, takePage, themes } from './camera.ts';
import { addAlertWithoutPercentage, noonOfOutage, turnToReport } from '#test/e2e/driver/reports.ts';

const { startSession } = prepareSessions();

const dayMs = 86_400_000;
const tid = 7_301;

async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await page.getByText(/^read /).waitFor();
  await page.locator('[aria-label="Report rows"] [aria-rowindex="2"]:not([aria-busy="true"])').waitFor();
}

async function mark(page: Page, row: number, name: string): Promise<void> {
  await page.locator(`[aria-label="Report rows"] [aria-rowindex="${row}"]`).click();
  await page
    .getByRole('button', { name: /^Mark / })
    .last()
    .click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('button', { name: new RegExp(`is marked ${name}`, 'u') }).waitFor();
}

test.each(themes)('marks, saved views and an exported chart, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last30&compare=previous&by=subid&sort=%2Bvalid_rate`);
  await mark(page, 2, 'Bad');
  await page.getByRole('button', { name: /is marked Bad/ }).click();
  await takePage(page, 'report-mark-menu', theme);
  await page.getByRole('menuitem', { name: 'Add note…' }).click();
  await page
    .getByLabel('Note', { exact: true })
    .fill('Bots: a click on every request at night. Told the partner.');
  await takePage(page, 'report-note', theme);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await mark(page, 4, 'Good');
  await takePage(page, 'report-marked', theme);

  const picture = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await takePage(page, 'report-export-menu', theme);
  await page.getByRole('menuitem', { name: 'Save chart as PNG…' }).click();
  copyFileSync(await (await picture).path(), pictureFile(`report-chart-file-${theme}`));

  await openReport(page, `xml=${tid}&range=last14&compare=weekdays&by=geo&sort=-net_revenue`);
  await mark(page, 3, 'Watch');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Countries, two weeks');
  await takePage(page, 'report-save-view', theme);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).click();
  await takePage(page, 'report-views-menu', theme);
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await page.getByRole('button', { name: 'Open Countries, two weeks first' }).click();
  await page.getByText('Opens first').waitFor();
  await takePage(page, 'report-manage-views', theme);
  await page.keyboard.press('Escape');

  await turnToReport(page, 'part=marks');
  await page.getByRole('button', { name: 'Export marks…' }).waitFor();
  await takePage(page, 'report-marks', theme);
});

test.each(themes)('alerts that crossed their threshold and recovered, %s', async (theme) => {
  const clock = createManualClock(noonOfOutage());
  const { app } = await startSession({ colorScheme: theme, clock, demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, `xml=${tid}&part=alerts`);
  await page.getByRole('button', { name: 'Add alert' }).waitFor();
  await takePage(page, 'report-alerts-empty', theme);
  await addAlertWithoutPercentage(page);
  await takePage(page, 'report-alert-refused', theme);
  await page.getByLabel('Percent').fill('30');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('listitem', { name: /^Gross requests: falls by 30%/ });
  await alert.getByText('Clear').waitFor();
  await page.evaluate(() => void (location.hash = '#/ledger'));
  clock.advance(dayMs);
  await page.getByText('1 report alert crossed').waitFor();
  await takePage(page, 'report-alert-toast', theme);
  await page.getByRole('link', { name: 'Open alerts' }).click();
  await alert.getByText('Crossed').waitFor();
  await takePage(page, 'report-alerts-crossed', theme);
  clock.advance(dayMs);
  await alert.getByText('Clear').waitFor();
  await takePage(page, 'report-alerts', theme);
});
