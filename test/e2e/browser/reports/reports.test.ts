import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { addDays, dayLabel } from '#shared/reports/index.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { turnToReport, untilReportSettles } from '../../driver/reports.ts';
import { runningClock } from '../../driver/running-clock.ts';

const { startSession } = prepareBrowserSessions();

const table = (page: Page): Locator => page.locator('[aria-label="Report rows"][aria-busy="false"]');

test('Search shows a tree of levels that the user can reorder, and a row opens its days', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('4');
  await untilReportSettles(page);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await untilReportSettles(page);
  const today = new Date().toISOString().slice(0, 10);
  const rows = await second.report('/publisher/search-report', {
    date_from: addDays(today, -7),
    date_to: addDays(today, -1),
  });
  const feeds = new Set(rows.map(({ feed }) => feed));
  const countries = new Set(rows.map(({ geo }) => geo));
  await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(countries.size + 2));

  await page.getByRole('button', { name: 'Group by: Country › Feed' }).click();
  const up = page.getByRole('button', { name: 'Move Feed up' });
  await up.focus();
  await page.keyboard.press('Enter');
  // The first entry cannot move further up, and keeps the focus, so that Escape still closes the panel.
  await expect.poll(() => up.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  const grouping = page.getByRole('button', { name: 'Group by: Feed › Country' });
  await page.getByRole('list', { name: 'Levels' }).waitFor({ state: 'detached' });
  // The closed panel returns the focus to its button.
  await expect.poll(() => grouping.evaluate((element) => element === document.activeElement)).toBe(true);
  await untilReportSettles(page);
  await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(feeds.size + 2));

  await table(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[role="row"][aria-level="2"]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^Details of/ });
  await panel.getByRole('row').nth(7).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('the complete report can be reached at 200 % zoom, and neither its header nor the share of a single row is cut off', async () => {
  const { app } = await startSession({ viewport: { width: 640, height: 400 } });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Reports');
  await untilReportSettles(page);
  const main = page.getByRole('main');
  expect(await main.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const row = table(page).locator('[aria-rowindex="2"]');
  await row.scrollIntoViewIfNeeded();
  expect(
    await row.evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 60, top + height / 2));
    }),
  ).toBe(true);
  await turnToReport(page, 'xml=7301&range=last7&compare=none&by=geo&only=geo:US');
  await untilReportSettles(page);
  const share = table(page).getByText('100.0%', { exact: true });
  expect(await share.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('a report that is open at midnight shows the figures of the days that its range then names', async () => {
  const dayMs = 86_400_000;
  const eveningMs = Math.floor(Date.now() / dayMs) * dayMs - 10 * 60_000;
  const dayOf = (ms: number): string => dayLabel(new Date(ms).toISOString().slice(0, 10));
  const clock = runningClock(eveningMs);
  const { app } = await startSession({ demoCampaigns: 1, clock });
  const { page } = app;
  await app.until('first row');
  await page.clock.install({ time: eveningMs });
  await page.reload();
  await app.until('first row');
  await turnToReport(page, 'xml=7301&range=yesterday&compare=none&by=date');
  const rows = page.locator('[aria-label="Report rows"]');
  await rows.getByText(dayOf(eveningMs - dayMs)).waitFor();
  await page.getByRole('list', { name: 'Net revenue by country' }).waitFor();
  await untilReportSettles(page);
  clock.advance(20 * 60_000);
  await page.clock.fastForward(20 * 60_000);
  await page.getByRole('button', { name: /^Days: Yesterday/ }).waitFor();
  await expect.poll(() => rows.getByText(dayOf(eveningMs)).count()).toBe(1);
});
