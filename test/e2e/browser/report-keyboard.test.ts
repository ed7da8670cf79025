import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoSources } from '#core/backend/demo-data/publisher-sources.ts';
import { hasBots } from '#core/backend/demo-data/statistics-day.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** The first reading of a report starts threads and fills a cache: a busy machine takes its time for it. */
const firstReadMs = 60_000;

const dayMs = 86_400_000;
const tid = 7_301;

/** More stops than the page has. */
const maxTabs = 120;

/** Goes from control to control until one has this name; a button's own words count where it has no label. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < maxTabs; count += 1) {
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element === document.body
        ? ''
        : (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
    });
    if (name.test(focused)) return;
    passed.push(focused);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name.source}: it passed ${[...new Set(passed)].join(' | ')}`);
}

/** Goes down an open menu to an entry and presses it. */
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

/** Sub-ids under which the demo's bots clicked in the 30 days before today, by the calendar of its stories. */
function botSubids(nowMs: number): Set<string> {
  const source = demoSources('northwind')[0]?.tids.find(({ id }) => id === tid);
  if (source === undefined) throw new Error('The demo lost a source');
  const today = Math.floor(nowMs / dayMs);
  const days = Array.from({ length: 30 }, (_day, at) => today - 1 - at);
  return new Set(source.subids.filter((subid) => days.some((day) => hasBots(source, subid, day))));
}

const atRest = async (page: Page): Promise<void> => {
  await page.getByText(/^read /).waitFor({ timeout: firstReadMs });
  await page.locator('[aria-label="Report rows"][aria-busy="false"]:not(:has([aria-busy="true"]))').waitFor();
};

test('without a mouse a publisher finds the sub-id with bots, compares, excludes and marks it, saves the view and exports', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('5');
  await atRest(page);

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
  await atRest(page);

  // Its valid clicks are the fewest: sorted by their rate, the other way round, it stands first.
  await tabTo(page, /^Sort by /);
  for (let count = 0; count < 12; count += 1) {
    if (await page.locator(':focus[aria-label="Sort by Valid rate"]').count()) break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('sort=-valid_rate');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('sort=%2Bvalid_rate');
  await atRest(page);

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
  expect(file).toContain(`Without Sub-ID: ${mark?.value}`);
  expect(await complaints()).toEqual([]);
});
