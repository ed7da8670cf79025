import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import type { CampaignRow } from '#shared/contract/index.ts';

const { startWaitingSession } = prepareDesktopSessions();

const lastSession = (page: Page) => page.getByText('last session, read');

/** The top of every row in view, by campaign. */
const placesOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const end = document.querySelector('main [role=grid]')?.getBoundingClientRect().bottom ?? 0;
    const rows = [...document.querySelectorAll('main [role=row][aria-selected]')].map(
      (row) =>
        [
          row.querySelector('[aria-colindex="2"]')?.textContent ?? '',
          row.getBoundingClientRect().top,
        ] as const,
    );
    return Object.fromEntries(rows.filter(([, top]) => top < end));
  });

test('a start draws the rows of the last session before its core starts, and replaces them in place', async () => {
  const renamed = (row: CampaignRow): CampaignRow => ({ ...row, name: 'As it was', payout: row.payout + 1 });
  const session = await startWaitingSession({
    lastSession: (kept) => ({
      ...kept,
      waiting: 7,
      rows: kept.rows.map((row, at) => (at === 2 ? renamed(row) : row)),
    }),
  });
  const { app, letCoreStart, complaints } = session;
  const { page } = app;
  await lastSession(page).waitFor();
  expect(await page.getByText('400 campaigns').count()).toBe(1);
  expect(await page.getByText('As it was').count()).toBe(1);
  expect(await page.locator('html').getAttribute('data-profile')).toBe('demo');
  await page.getByLabel('7 waiting in the last session').waitFor();
  await page.getByText('Starting; actions wait').waitFor();
  // Nothing that waits for the core is shown as current.
  expect(await page.getByText('ledger sealed').count()).toBe(0);

  const grid = page.getByRole('grid', { name: 'Campaigns' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  // The bar of the selection takes a line of the list.
  await page.getByText('1 selected').waitFor();
  const before = await placesOf(page);

  letCoreStart();
  await lastSession(page).waitFor({ state: 'detached' });
  await page.getByText('· 1 changed').waitFor();
  expect(await page.getByText('As it was').count()).toBe(0);
  expect(await page.getByText('Changed', { exact: true }).count()).toBe(1);
  expect(Object.keys(before).length).toBeGreaterThan(10);
  expect(await placesOf(page)).toEqual(before);
  expect(await grid.evaluate((element) => document.activeElement === element)).toBe(true);
  expect(await grid.getAttribute('aria-activedescendant')).toBe('row-2');
  expect(await page.locator('#row-2').getAttribute('aria-selected')).toBe('true');
  await page.getByText('service ready').waitFor();
  expect(await page.getByLabel('7 waiting in the last session').count()).toBe(0);
  expect(await complaints()).toEqual([]);
});

test.each([
  ['damaged', () => '{"version":'],
  ['of an older version', (kept: object) => ({ ...kept, version: '0.0.1' })],
])('a file that is %s is ignored', async (_what, change) => {
  const { app, letCoreStart, complaints } = await startWaitingSession({ lastSession: change });
  await app.page.getByText('service unknown').waitFor();
  expect(await app.page.getByRole('grid').count()).toBe(0);
  letCoreStart();
  await app.until('first row');
  expect(await lastSession(app.page).count()).toBe(0);
  expect(await complaints()).toEqual([]);
});

test('rows of a profile that is no longer active disappear with the first answer of the core', async () => {
  const { app, letCoreStart } = await startWaitingSession({
    lastSession: (kept) => ({
      ...kept,
      profile: { ...kept.profile, id: 'gone', kind: 'live', name: 'Gone' },
      rows: kept.rows.map((row) => ({ ...row, name: 'Of another profile' })),
    }),
  });
  await app.page.getByText('Of another profile').first().waitFor();
  letCoreStart();
  await app.page.getByText('Of another profile').first().waitFor({ state: 'detached' });
  await app.until('first row');
  expect(await app.page.locator('html').getAttribute('data-profile')).toBe('demo');
  expect(await lastSession(app.page).count()).toBe(0);
});

test('an emergency stop before the core is ready survives a reload, and is the first thing that the core does', async () => {
  const { app, letCoreStart, complaints } = await startWaitingSession({ lastSession: (kept) => kept });
  const { page } = app;
  const pending = page.getByText('Your emergency stop is the first thing it does.');
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await pending.waitFor();
  expect(await page.getByText('Agents are frozen').count()).toBe(0);
  await page.reload();
  await pending.waitFor();
  letCoreStart();
  await page.getByText('Agents frozen').first().waitFor();
  await page.getByRole('button', { name: 'Review pause' }).waitFor();
  expect(await pending.count()).toBe(0);
  expect(await complaints()).toEqual([]);
});
