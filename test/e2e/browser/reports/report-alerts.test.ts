import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AlertView } from '#shared/app-api/index.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { noonOfOutage, turnToReport, untilReportSettles } from '../../driver/reports.ts';
import { runningClock } from '../../driver/running-clock.ts';

const { startSession } = prepareBrowserSessions();

const dayMs = 86_400_000;
const tid = 7_301;
const outageMs = noonOfOutage();
const outage = new Date(outageMs).toISOString().slice(0, 10);

const rows = (page: Page): Locator => page.locator('[aria-label="Report rows"]');
const hasFocus = (of: Locator): Promise<boolean> =>
  of.evaluate((element) => element === document.activeElement);

test('the user creates an alert from a figure by keyboard, with a proposed threshold and a trial while editing', async () => {
  const { app, complaints } = await startSession({ clock: runningClock(outageMs + dayMs), demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, `xml=${tid}&range=last30&compare=none&by=geo`);
  await untilReportSettles(page);

  const figure = page.getByRole('button', { name: 'Alert me about net revenue…' });
  await page.getByRole('button', { name: /^Net revenue/ }).focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => hasFocus(figure)).toBe(true);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'New alert' });
  const amount = panel.getByLabel('Amount in $');
  await expect.poll(() => amount.inputValue()).toMatch(/^\d+$/u);
  await expect.poll(() => hasFocus(amount)).toBe(true);
  const text = panel.getByRole('status');
  const coverage = 'the 30 of the last 90 days whose figures are loaded';
  await expect.poll(() => text.textContent()).toContain(coverage);
  expect(await axeFaults(page)).toEqual([]);

  // Every day earns less than this, so that the alert would have fired once and never recovered.
  await amount.fill('999999999');
  await expect.poll(() => text.textContent()).toContain(`Would have fired 1 time in ${coverage}`);
  await amount.fill('0.01');
  await expect.poll(() => text.textContent()).toBe(`Would not have fired in ${coverage}.`);
  await page.keyboard.press('Enter');
  await panel.getByText('Alert added').waitFor();
  const { items } = (await app.ask('reports.alerts.list', {})) as { items: AlertView[] };
  expect(items.map(({ rule }) => rule)).toEqual([
    {
      source: { kind: 'xml', tid },
      only: null,
      metric: 'net_revenue',
      window: 'yesterday',
      condition: { kind: 'level', is: 'below', threshold: '0.01' },
      least: null,
    },
  ]);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(figure)).toBe(true);
  expect(await complaints()).toEqual([]);
});

test('a report row offers actions and an alert with the days that it covers, and a row with two values explains why it has no alert', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, `xml=${tid}&range=last14&compare=none&by=geo`);
  await untilReportSettles(page);
  await rows(page).focus();
  await page.keyboard.press('Shift+F10');
  const first = page.getByRole('menuitem', { name: 'Show details' });
  await expect.poll(() => hasFocus(first)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'New alert' });
  await panel.getByText('0 of the last 90 are loaded').waitFor();
  await expect.poll(() => panel.getByLabel('Amount in $').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(rows(page))).toBe(true);

  // The panel of the row reads its days, and the alert then knows them.
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: /^Details of/ });
  await details.getByRole('row').nth(14).waitFor();
  await details.getByRole('button', { name: 'Alert me…' }).click();
  await panel.getByText(/the 14 of the last 90 days/).waitFor();
  await expect.poll(() => panel.getByLabel('Amount in $').inputValue()).toMatch(/^\d/u);
  await page.keyboard.press('Escape');
  await details.waitFor();
  await page.keyboard.press('Escape');

  const cell = rows(page).locator('[aria-rowindex="3"] [role=gridcell]');
  await cell.nth(4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Alert me…' }).click();
  await panel
    .getByRole('button', { name: /^Metric/ })
    .getByText('Gross clicks')
    .waitFor();
  await page.keyboard.press('Escape');

  await turnToReport(page, 'search=all&range=last7&compare=none&by=geo&by=feed');
  await untilReportSettles(page);
  await rows(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[role="row"][aria-level="2"]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('a');
  await panel.getByText('An alert watches one value.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('an alert on a country of XML traffic loads the days that it needs on request, and is then tried out on all of them', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, `xml=${tid}&range=last14&compare=none&by=geo`);
  await untilReportSettles(page);
  await rows(page).focus();
  await page.keyboard.press('a');
  const panel = page.getByRole('region', { name: 'New alert' });
  await panel.getByText('0 of the last 90 are loaded').waitFor();
  const load = panel.getByRole('button', { name: 'Load 90 days' });
  expect(await axeFaults(page)).toEqual([]);
  await load.press('Enter');
  await panel.getByText(/^Usually \$/u).waitFor();
  await panel.getByText(/^Would (not )?have fired .*in the last 90 days[.:]/u).waitFor();
  await load.waitFor({ state: 'detached' });
  await expect.poll(() => panel.getByLabel('Amount in $').inputValue()).toMatch(/^\d/u);
  expect(await axeFaults(page)).toEqual([]);
  expect(await complaints()).toEqual([]);
});

test('a day outside the usual range is named with a link to its figures, and nothing is claimed from too few days', async () => {
  const { app } = await startSession({ clock: runningClock(outageMs + dayMs), demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  const changed = page.getByText(/^Something changed on/);
  await turnToReport(page, `xml=${tid}&range=last7&compare=none&by=geo`);
  await untilReportSettles(page);
  expect(await changed.count()).toBe(0);

  await turnToReport(page, `xml=${tid}&range=last30&compare=none&by=date`);
  await untilReportSettles(page);
  await changed.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page
    .getByRole('button', { name: /Net revenue below its usual range/ })
    .first()
    .waitFor();
  await changed.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain(`range=${outage}..${outage}`);
  await untilReportSettles(page);
  await page.goBack();
  await changed.waitFor();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('Heat').click();
  await page.keyboard.press('Escape');
  const legend = page.getByRole('list', { name: 'Legend of the rows' });
  await expect
    .poll(() => legend.getByRole('listitem').allTextContents())
    .toEqual(
      ['Worse', 'Better', 'Unlike the others', 'Larger in its column', 'Weekend'].map((label) =>
        expect.stringContaining(label),
      ),
    );
  expect(await axeFaults(page)).toEqual([]);
});
