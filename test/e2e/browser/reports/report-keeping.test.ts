import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { runningClock } from '../../driver/running-clock.ts';
import { turnToReport } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const dayMs = 86_400_000;
const tid = 7_301;

async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await page.getByText(/^read /).waitFor();
  await firstRow(page).waitFor();
}

const firstRow = (page: Page): Locator =>
  page.getByRole('grid', { name: 'Report rows' }).locator('[aria-rowindex="2"]:not([aria-busy="true"])');

test('marking a value in a range that includes today does not change the shown figures', async () => {
  const clock = runningClock();
  const { app } = await startSession({ clock, demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  const dayBefore = (days: number): string =>
    new Date(clock.nowMs() - days * dayMs).toISOString().slice(0, 10);
  await openReport(page, `search=all&by=geo&range=${dayBefore(6)}..${dayBefore(0)}&compare=none`);
  await firstRow(page).click();
  await page
    .getByRole('button', { name: /^Mark / })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Watch' }).click();
  await page.getByRole('button', { name: /is marked Watch/ }).waitFor();
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  await page.getByRole('button', { name: 'Mark the selected values' }).click();
  await page.getByRole('menuitem', { name: 'Bad' }).click();
  const rangesThen = async () => {
    const { items } = (await app.ask('reports.marks.list', {})) as {
      items: { figuresThen: { range: object } | null }[];
    };
    return items.map(({ figuresThen }) => figuresThen?.range ?? null);
  };
  const shown = { from: dayBefore(6), to: dayBefore(1) };
  await expect.poll(rangesThen).toEqual([shown, shown]);
});

test('a saved view survives a restart, and can be set to open first', async () => {
  const { app, restartCore } = await startSession();
  let { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last14&compare=weekdays&by=geo&sort=-net_revenue`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Countries, two weeks');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).click();
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await page.getByRole('button', { name: 'Open Countries, two weeks first' }).click();
  await page.getByText('Opens first').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  ({ page } = await restartCore());
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => void (location.hash = '#/reports'));
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
});
