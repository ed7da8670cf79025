import type { Page } from 'playwright';
import { test } from 'vitest';
import { noonOfOutage, turnToReport, untilReportSettles } from '#test/e2e/driver/reports.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { runningClock } from '#test/e2e/driver/running-clock.ts';
import { savePicture, themes } from './camera.ts';

const { startSession } = prepareSessions();

const dayMs = 86_400_000;
const tid = 7_301;

/** The last one is a window of 1280 pixels at 200%. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 900, height: 700 },
  { width: 640, height: 400 },
] as const;

async function take(page: Page, name: string, theme: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `${name}-${theme}-${size.width}`);
  }
  await page.setViewportSize(sizes[0]);
}

test.each(themes)('a change outside the usual range, and an alert created from it, %s', async (theme) => {
  const clock = runningClock(noonOfOutage() + dayMs);
  const { app } = await startSession({ colorScheme: theme, clock, demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, `xml=${tid}&range=last30&compare=none&by=date`);
  await untilReportSettles(page);
  await page.getByText(/^Something changed on/).waitFor();
  await take(page, 'report-changed', theme);

  const figure = page.getByRole('button', { name: /^Alert me about net revenue/ });
  await figure.focus();
  await take(page, 'report-figure-focus', theme);
  await figure.click();
  await page.getByText(/^Would have fired/).waitFor();
  await take(page, 'report-alert-proposed', theme);
  await page.getByRole('button', { name: 'Add alert' }).click();
  await page.getByText('Alert added').waitFor();
  await take(page, 'report-alert-added', theme);
  await page.getByRole('button', { name: 'Close' }).last().click();

  await turnToReport(page, `xml=${tid}&range=last7&compare=previous&by=geo`);
  await untilReportSettles(page);
  await page.locator('[aria-label="Report rows"]').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Alert me…' }).waitFor();
  await take(page, 'report-row-menu', theme);
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.getByText(/^No threshold is proposed/).waitFor();
  await take(page, 'report-alert-unloaded', theme);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('Heat').click();
  await page.keyboard.press('Escape');
  await take(page, 'report-heat', theme);
});
