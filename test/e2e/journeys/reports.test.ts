import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { addDays } from '#shared/reports/index.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { untilReportSettles } from '../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const table = (page: Page): Locator => page.locator('[aria-label="Report rows"][aria-busy="false"]');
const figure = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Key figures' }).getByRole('button', { name: new RegExp(`^${name}`) });

const countText = (rows: readonly JsonObject[], column: string): string =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0).toLocaleString('en-US');

/** Adds up in millionths, because the service's numbers have at most six decimals. */
function moneyText(rows: readonly JsonObject[], column: string): string {
  const micros = rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 1e6), 0);
  return `$${(Math.round(micros / 1e4) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
}

test('a publisher views the week, compares it, excludes a country, and goes back', async () => {
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
  const top = table(page)
    .getByRole('row')
    .filter({ hasText: String(first?.['geo']) })
    .first();
  await top.getByText(countText([first ?? {}], 'gross_clicks'), { exact: true }).waitFor();
  await expect.poll(() => top.getAttribute('aria-rowindex')).toBe('2');

  // Excludes a country by keyboard: every total changes, and the page shows how to undo this.
  await table(page).focus();
  await page.keyboard.press('e');
  await page.getByText('1 value excluded from totals').waitFor();
  await figure(page, 'Gross clicks').getByText(countText(others, 'gross_clicks'), { exact: true }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Total without 1 value' }).waitFor();
  const excluded = page.url();

  // Excluding a country without rows on these days removes no other country from the bars.
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

  // The address identifies the report: a reload shows the same report.
  await page.reload();
  await untilReportSettles(page);
  await figure(page, 'Gross clicks').getByText(countText(others, 'gross_clicks'), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Count all again' }).click();
  await figure(page, 'Gross clicks')
    .getByText(countText(countries, 'gross_clicks'), { exact: true })
    .waitFor();
  expect(await complaints()).toEqual([]);
});
