import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import type { SecondClient } from '../../driver/second-client.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const rowHeight = 32;
/** Rows drawn beyond the view: six on each side, and one cut by each edge. */
const beyond = 2 * 6 + 2;
const perPage = 200;

interface DrawnRow {
  index: number;
  cid: number;
}

/** Returns every row in the document that has its data. */
const drawn = (page: Page): Promise<DrawnRow[]> =>
  page.locator('[role=row][aria-busy=false]').evaluateAll((rows) =>
    rows.map((row) => ({
      index: Number(row.getAttribute('aria-rowindex')) - 2,
      cid: Number(row.querySelector('[role=gridcell]:nth-child(2)')?.textContent),
    })),
  );

/** Waits until a row is drawn with its data, then compares all drawn rows with the service. */
async function expectRight(page: Page, second: SecondClient, index: number): Promise<void> {
  await page.locator(`[role=row][aria-rowindex="${index + 2}"][aria-busy=false]`).waitFor();
  await page.locator('[role=row][aria-busy=true]').first().waitFor({ state: 'detached' });
  const rows = await drawn(page);
  expect(rows.some((row) => row.index === index)).toBe(true);
  const pages = new Map<number, number[]>();
  for (const number of new Set(rows.map(({ index }) => Math.floor(index / perPage) + 1))) {
    pages.set(number, await second.cids({ page: number, perPage }));
  }
  for (const { index, cid } of rows) {
    expect(cid).toBe(pages.get(Math.floor(index / perPage) + 1)?.[index % perPage]);
  }
}

/** Returns true if nothing, such as the column titles, covers the middle of a row. */
const isUncovered = (page: Page, index: number): Promise<boolean> =>
  page.locator(`[role=row][aria-rowindex="${index + 2}"]`).evaluate((row) => {
    const { left, top, height } = row.getBoundingClientRect();
    return row.contains(document.elementFromPoint(left + 8, top + height / 2));
  });

test('a list of a hundred thousand campaigns scrolls with one screenful of rows in the document, each with the right campaign', async () => {
  const { app, second, complaints } = await startSession({
    dataFolder: tempFolder(),
    demoCampaigns: 100_000,
  });
  const { page } = app;
  await app.until('first row');
  await page.getByText('100,000 campaigns', { exact: true }).waitFor();
  const grid = page.getByRole('grid', { name: 'Campaigns' });
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100001');
  const screenful = Math.ceil((await grid.evaluate((element) => element.clientHeight)) / rowHeight);

  // Counts at every change of the document, so that no moment of the scrolling is missed.
  await grid.evaluate((element) => {
    const count = (): void => {
      const rows = element.querySelectorAll('[role=row]').length - 1;
      const elements = document.querySelectorAll('*').length;
      element.dataset['most'] = String(Math.max(rows, Number(element.dataset['most'] ?? 0)));
      element.dataset['elements'] = String(Math.max(elements, Number(element.dataset['elements'] ?? 0)));
    };
    count();
    new MutationObserver(count).observe(element, { childList: true, subtree: true });
  });

  await expectRight(page, second, 0);
  await grid.hover();
  for (let turns = 40; turns > 0; turns -= 1) await page.mouse.wheel(0, 700);
  // A wheel event that arrives late would move the rows that are compared below.
  await expect.poll(() => grid.evaluate(({ scrollTop }) => scrollTop)).toBe(40 * 700);
  for (const share of [0.25, 0.5, 0.75]) {
    await grid.evaluate((element, share) => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) * share;
    }, share);
  }
  await grid.evaluate((element) => {
    element.scrollTop = 50_000 * 32;
  });
  await expectRight(page, second, 50_000);
  await grid.focus();
  await page.keyboard.press('End');
  await expectRight(page, second, 99_999);
  await expect.poll(() => isUncovered(page, 99_999)).toBe(true);
  await page.keyboard.press('Home');
  await expectRight(page, second, 0);
  await expect.poll(() => isUncovered(page, 0)).toBe(true);

  const most = Number(await grid.getAttribute('data-most'));
  expect(most).toBeGreaterThan(screenful - 3);
  expect(most).toBeLessThanOrEqual(screenful + beyond);
  expect(Number(await grid.getAttribute('data-elements'))).toBeLessThan(2_000);
  expect(await complaints()).toEqual([]);
});
