import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { demoSources, hasBots } from '#core/backend/demo-data/statistics-day.ts';
import { quotedCell } from '#shared/lib/csv.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { untilReportSettles } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const dayMs = 86_400_000;
const tid = 7_301;

/** More tab stops than the page has. */
const maxTabs = 120;

/** Presses Tab until the focused control has this name. Controls without an accessible name count by their label or text. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < maxTabs; count += 1) {
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null || element === document.body) return '';
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim();
    });
    if (name.test(focused)) return;
    passed.push(focused);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name.source}: it passed ${[...new Set(passed)].join(' | ')}`);
}

async function choose(page: Page, entry: string): Promise<void> {
  const items = page.locator('[role=menuitem], [role=menuitemradio]');
  await items.first().waitFor();
  const focused = items.and(page.locator(':focus'));
  for (let count = await items.count(); count > 0; count -= 1) {
    await focused.waitFor();
    if ((await focused.textContent())?.trim() === entry) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`No entry ${entry}`);
}

/** Returns the sub-IDs of the demo's bots in the 30 days before today, computed from the calendar of the demo's stories. */
function botSubids(nowMs: number): Set<string> {
  const source = demoSources('northwind')[0]?.tids.find(({ id }) => id === tid);
  if (source === undefined) throw new Error('The demo lost a source');
  const today = Math.floor(nowMs / dayMs);
  const days = Array.from({ length: 30 }, (_day, at) => today - 1 - at);
  return new Set(source.subids.filter((subid) => days.some((day) => hasBots(source, subid, day))));
}

test('a publisher without a mouse finds the sub-id with bots, compares, excludes and marks it, saves the view and exports', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('4');
  await untilReportSettles(page);

  await tabTo(page, /^Sub-ID$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Days:/);
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Calendar' }).waitFor();
  await tabTo(page, /^Last 30 days$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Compare/);
  await page.keyboard.press('Enter');
  await choose(page, 'Same weekdays before');
  await expect.poll(() => page.url()).toMatch(/range=last30&compare=weekdays.*by=subid/);
  await untilReportSettles(page);

  // The bots have the lowest rate of valid clicks, so in ascending order they are first.
  await tabTo(page, /^Sort by (?!change)/);
  for (let count = 0; count < 12; count += 1) {
    if (await page.locator(':focus[aria-label="Sort by Valid rate"]').count()) break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('sort=-valid_rate');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('sort=%2Bvalid_rate');
  await untilReportSettles(page);

  await tabTo(page, /^Report rows$/);
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('e');
  await page.getByText('1 value excluded from totals').waitFor();
  await tabTo(page, /^Mark the selected values$/);
  await page.keyboard.press('Enter');
  await choose(page, 'Bad');
  const marks = async (): Promise<{ value: string; sign: string }[]> => {
    const { items } = (await app.ask('reports.marks.list', {})) as {
      items: { value: string; sign: string }[];
    };
    return items;
  };
  await expect.poll(async () => (await marks()).length).toBe(1);
  const [mark] = await marks();
  expect(mark?.sign).toBe('bad');
  expect(botSubids(Date.now())).toContain(mark?.value);

  await tabTo(page, /^Views/);
  await page.keyboard.press('Enter');
  await choose(page, 'Save view…');
  await page.getByRole('dialog').waitFor();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Without the bots');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Without the bots' }).waitFor();

  await tabTo(page, /^Export$/);
  await page.keyboard.press('Enter');
  const download = page.waitForEvent('download');
  await choose(page, 'Save table as CSV…');
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain(`\r\nFilters,${quotedCell(`Without Sub-ID: ${mark?.value}`)}\r\n`);
  expect(await complaints()).toEqual([]);
});

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  );

test('a user without a mouse can use every part of the report page: panel, calendar, columns, chart, bars, marks, alerts, views and schedules', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('4');
  await untilReportSettles(page);

  // Expands a row into its days; opens the panel, marks a value, and closes the panel.
  await tabTo(page, /^Report rows$/);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^Details of/ });
  await panel.getByRole('row').nth(3).waitFor();
  await tabTo(page, /^Mark [A-Z]/);
  await page.keyboard.press('Enter');
  await choose(page, 'Watch');
  await panel.getByRole('button', { name: /is marked Watch/ }).waitFor();
  await tabTo(page, /^Close$/);
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });

  // Chooses two days in the calendar with the arrow keys.
  await tabTo(page, /^Days:/);
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Calendar' }).waitFor();
  await tabTo(page, /^\w{3}, \d/);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const last = await focused(page);
  await tabTo(page, /^Show days$/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/range=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d/);
  await untilReportSettles(page);
  await expect
    .poll(() => page.getByRole('button', { name: /^Days:/ }).getAttribute('aria-label'))
    .toContain(last.replace(/^\w+, /, '').replace(/ \d{4}$/, ''));

  // Chooses three days in the chart, then one of them.
  await tabTo(page, /by day$/);
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  const whole = page.url();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).not.toBe(whole);
  await untilReportSettles(page);
  await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuemax')).toBe('3');

  // Filters the rows with a bar, and removes the filter with its chip.
  const bars = page.getByRole('list', { name: /by country$/ });
  await bars.getByRole('button').first().waitFor();
  await tabTo(page, /of total$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('only=geo');
  await tabTo(page, /^Remove filter/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).not.toContain('only=geo');
  await untilReportSettles(page);

  // Hides one column and moves another.
  await tabTo(page, /^Columns$/);
  await page.keyboard.press('Enter');
  const columns = page.getByRole('list', { name: 'Columns' });
  await columns.waitFor();
  const titles = (): Promise<string[]> =>
    page
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-label') ?? ''));
  expect(await titles()).toContain('Share of net revenue');
  await tabTo(page, /^Share of total$/);
  await page.keyboard.press(' ');
  await expect.poll(titles).not.toContain('Share of net revenue');
  await page.keyboard.press('Escape');
  await columns.waitFor({ state: 'detached' });

  // Marks: writes the note of the mark.
  await tabTo(page, /^Marks$/);
  await page.keyboard.press('Enter');
  await page.getByRole('table').filter({ hasText: 'Watch' }).waitFor();
  await tabTo(page, /^Edit note of/);
  await page.keyboard.press('Enter');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Ask the partner');
  await page.keyboard.press('Enter');
  await page.getByRole('table').filter({ hasText: 'Ask the partner' }).waitFor();

  // Alerts: adds an alert with the default values.
  await tabTo(page, /^Alerts$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add alert' }).waitFor();
  await tabTo(page, /^Add alert$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Percent$/);
  await page.keyboard.type('2.5');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem', { name: /^Click rate: /i }).waitFor();
  await tabTo(page, /^Alerts$/);
  await page.keyboard.press('Enter');
  await untilReportSettles(page);

  // Views: saves a view, opens it first, and deletes it.
  await tabTo(page, /^Views/);
  await page.keyboard.press('Enter');
  await choose(page, 'Save view…');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Three days');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Three days' }).waitFor();
  await tabTo(page, /^Views/);
  await page.keyboard.press('Enter');
  await choose(page, 'Manage views…');
  await page.getByRole('dialog', { name: 'Manage views' }).waitFor();
  await tabTo(page, /^Open Three days first$/);
  await page.keyboard.press('Enter');
  await page.getByText('Opens first').waitFor();
  await tabTo(page, /^Delete Three days$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Delete view$/);
  await page.keyboard.press('Enter');
  await page.getByText('No saved views.').waitFor();
  await page.keyboard.press('Escape');

  // Schedules: the dialog opens with the report's subject and is closed.
  await tabTo(page, /^Export$/);
  await page.keyboard.press('Enter');
  await choose(page, 'Schedule this report…');
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });
  await dialog.waitFor();
  await expect.poll(() => dialog.getByLabel('Days before the run').inputValue()).toBe('3');
  await tabTo(page, /^Discard$/);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(page, /^Schedule a report…$/);
  expect(await complaints()).toEqual([]);
});
