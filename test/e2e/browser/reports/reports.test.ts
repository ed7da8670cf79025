import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { addDays, dayLabel } from '#shared/reports/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { turnToReport, untilReportSettles } from '../../driver/reports.ts';
import { runningClock } from '../../driver/running-clock.ts';

const { startSession } = prepareBrowserSessions();

const table = (page: Page): Locator => page.locator('[aria-label="Report rows"][aria-busy="false"]');
const figure = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Key figures' }).getByRole('button', { name: new RegExp(`^${name}`) });
const rowNamed = (page: Page, name: string): Locator =>
  table(page).getByRole('row').filter({ hasText: name });

const countText = (rows: readonly JsonObject[], column: string): string =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0).toLocaleString('en-US');

/** Adds up in millionths: the service's own numbers have six decimals at most. */
function moneyText(rows: readonly JsonObject[], column: string): string {
  const micros = rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 1e6), 0);
  return `$${(Math.round(micros / 1e4) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
}

test('a publisher sees the week, compares it, leaves a country out, and goes back', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.goTo('Reports');
  await untilReportSettles(page);
  const tid = /xml=(\d+)/.exec(page.url())?.[1] ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const week = (groupBy: string, back = 0) =>
    second.report('/xml/stats', {
      tid,
      groupBy,
      date_from: addDays(today, -7 - back),
      date_to: addDays(today, -1 - back),
    });

  const days = await week('day');
  const before = await week('day', 7);
  await figure(page, 'Gross requests')
    .getByText(countText(days, 'gross_requests'), { exact: true })
    .waitFor();
  await figure(page, 'Net revenue').getByText(moneyText(days, 'net_revenue'), { exact: true }).waitFor();
  await figure(page, 'Gross clicks').hover();
  await page
    .getByRole('tooltip')
    .filter({ hasText: countText(before, 'gross_clicks') })
    .waitFor();

  const countries = await week('geo');
  const [first, ...others] = countries.toSorted(
    (a, b) => Number(b['net_revenue']) - Number(a['net_revenue']),
  );
  const top = rowNamed(page, String(first?.['geo'])).first();
  await top.getByText(countText([first ?? {}], 'gross_clicks'), { exact: true }).waitFor();
  expect(await top.getAttribute('aria-rowindex')).toBe('2');

  // Excluded by the keyboard: every total follows, and the page says how to come back.
  await table(page).focus();
  await page.keyboard.press('e');
  await page.getByText('1 value excluded from totals').waitFor();
  await figure(page, 'Gross clicks').getByText(countText(others, 'gross_clicks'), { exact: true }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Total without 1 value' }).waitFor();
  const excluded = page.url();

  // A country that has no row on these days takes none of the others from the bars.
  const rest = page
    .getByRole('list', { name: /by country$/ })
    .getByRole('listitem')
    .filter({ hasText: `${others.length - 5} others` });
  await rest.waitFor();
  await page.evaluate(() => void (location.hash += '&without=geo:XX'));
  await page.getByText('2 values excluded from totals').waitFor();
  await untilReportSettles(page);
  await rest.waitFor();
  await page.goBack();
  await page.getByText('1 value excluded from totals').waitFor();

  await page.getByRole('button', { name: 'Day', exact: true }).click();
  await untilReportSettles(page);
  await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(days.length + 2));
  await page.goBack();
  await expect.poll(() => page.url()).toBe(excluded);
  await untilReportSettles(page);
  await page.goForward();
  await expect.poll(() => page.url()).toContain('by=date');
  await page.goBack();

  // The address is the report: read again it is the same.
  await page.reload();
  await untilReportSettles(page);
  await figure(page, 'Gross clicks').getByText(countText(others, 'gross_clicks'), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Count all again' }).click();
  await figure(page, 'Gross clicks')
    .getByText(countText(countries, 'gross_clicks'), { exact: true })
    .waitFor();
  expect(await complaints()).toEqual([]);
});

test('Search is a tree of the levels that a person puts in order, and a row opens its days', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('5');
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
  // On top it moves no further, and keeps the focus: Escape still closes the panel.
  await expect.poll(() => up.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  const grouping = page.getByRole('button', { name: 'Group by: Feed › Country' });
  await page.getByRole('list', { name: 'Levels' }).waitFor({ state: 'detached' });
  // The closed panel gives the focus back to its button.
  await expect.poll(() => grouping.evaluate((element) => element === document.activeElement)).toBe(true);
  await untilReportSettles(page);
  await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(feeds.size + 2));

  await table(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[role="row"][aria-level="2"]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^Look into/ });
  await panel.getByRole('row').nth(7).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('at 200 % zoom the whole report can be reached, and neither its head nor the share of an only row is cut', async () => {
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

test('a report that is open at midnight has the figures of the days that its range names', async () => {
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
