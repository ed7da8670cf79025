import { expect, test } from 'vitest';
import type { Fault, Faults } from '#core/backend/index.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { holdReads } from '../driver/held-reads.ts';

const { startSession } = prepareBrowserSessions();

const listRead = { method: 'GET', path: '/login/campaigns/campaigns' };

const failingRead: Fault = { kind: 'answer', status: 500, ...listRead };

function heal(faults: Faults): void {
  while (faults.take('answer', listRead) !== undefined);
}

test('the campaign list shows whether it is loading, failed with a remedy, empty or complete', async () => {
  const { app, faults } = await startSession({ faults: Array.from({ length: 200 }, () => failingRead) });
  const { page } = app;
  // The app also retries by itself. Held reads keep the button in place until it is pressed.
  const tryAgain = async (): Promise<void> => {
    const release = await holdReads(page);
    heal(faults);
    await page.getByRole('button', { name: 'Try again' }).click();
    release();
  };
  await page.getByRole('heading', { name: 'The service failed.' }).waitFor();
  await page.getByText('Nothing was changed.').waitFor();
  await tryAgain();
  await app.until('first row');
  await page.getByText('400 campaigns', { exact: true }).waitFor();

  const release = await holdReads(page);
  await page.reload();
  const grey = page.locator('[role=row][aria-busy=true]');
  await grey.first().waitFor();
  expect(await page.getByText('400 campaigns').count()).toBe(0);
  release();
  await page.getByText('400 campaigns', { exact: true }).waitFor();
  await app.until('first row');
  expect(await grey.count()).toBe(0);

  for (let left = 200; left > 0; left -= 1) faults.arm(failingRead);
  await page.reload();
  await page.getByText(/loaded campaigns, the oldest read (just now|\d+ s ago)/).waitFor();
  await app.until('first row');
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(10);
  // The displayed age grows without a new read.
  await page.clock.setSystemTime(Date.now() + 4 * 60_000 + 5_000);
  await page.getByText(/loaded campaigns, the oldest read 4 min ago\. Search/).waitFor();
  await tryAgain();
  await page.getByText(/loaded campaigns, the oldest read/).waitFor({ state: 'detached' });

  await app.search('no campaign has this name');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByText('400 campaigns', { exact: true }).waitFor();
  await expect.poll(() => page.getByLabel('Search campaigns').inputValue()).toBe('');
});

test('a bid that has become invalid is refused at its field, and a refusal by the service is quoted', async () => {
  const { app, second, faults } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 200 }).then(async (cids) => {
    for (const cid of cids) if ((await second.read(cid))['type'] === 3) return [cid];
    return [];
  });
  const panel = await app.open(cid);
  await second.change(cid, { type: 5 });
  await app.edit(cid, 'Bid', '2.4');
  await panel.getByRole('button', { name: /^Review change/ }).click();
  const bid = panel.getByLabel('Bid', { exact: true });
  await panel.getByRole('alert').filter({ hasText: '$2' }).first().waitFor();
  await expect.poll(() => bid.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => bid.inputValue()).toBe('2.4');

  await app.edit(cid, 'Bid', '1.9');
  const confirmation = await app.review(cid);
  const asked = confirmation.page.getByLabel(/to confirm/);
  if ((await asked.count()) > 0) await asked.fill('1.900');
  faults.arm({ kind: 'answer', status: 422, method: 'PUT' });
  await confirmation.pressApprove();
  await confirmation.ends('Not stored');
  await confirmation.says('Some fields are not valid.');
  expect(second.count('PUT', `/${cid}`)).toBe(2);
  expect((await second.read(cid))['payout']).not.toBe(1.9);
});

test('the user searches, filters, sorts and arranges the list, and the list remembers it', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [, , third = 0] = await second.cids({ perPage: 3 });
  const { name } = await second.read(third);
  const matching = page.getByRole('status').filter({ hasText: /of 400/ });

  await app.search(String(third));
  await page.getByText('1 of 400 campaigns', { exact: true }).waitFor();
  expect(await app.cidInRow(1)).toBe(third);
  await app.search(String(name).slice(0, 8));
  await app.row(third).waitFor();
  await page.getByLabel('Clear filters').click();

  await page.getByRole('button', { name: 'Filter by type' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Popunder', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Display', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await matching.waitFor();
  await app.filterStatus('Paused');
  const column = async (at: number): Promise<string[]> => {
    await app.until('list at rest');
    return (await page.locator('[role=row] [role=gridcell]:nth-child(' + at + ')').allInnerTexts()).slice(
      0,
      15,
    );
  };
  expect(new Set(await column(4))).toEqual(new Set(['Paused']));
  for (const type of await column(8)) expect(['Popunder', 'Display']).toContain(type);
  await page.getByLabel('Clear filters').click();
  await page.getByText('400 campaigns', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Sort by ID' }).click();
  const cids = async (): Promise<number[]> => (await column(2)).map(Number);
  await expect
    .poll(async () => {
      const now = await cids();
      return now.length > 5 && now.every((cid, at) => at === 0 || cid > (now[at - 1] ?? 0));
    })
    .toBe(true);
  await page.getByRole('columnheader', { name: 'ID' }).and(page.locator('[aria-sort=ascending]')).waitFor();

  await page.getByRole('button', { name: 'Show and hide columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Show and hide columns' });
  await columns.getByRole('checkbox', { name: 'Website' }).click();
  await page.keyboard.press('Escape');
  await columns.waitFor({ state: 'detached' });
  await page.getByRole('columnheader', { name: 'Website' }).waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('dark theme');
  await page.keyboard.press('Enter');
  const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
  await expect.poll(theme).toBe('dark');
  await page.reload();
  await app.until('first row');
  expect(await theme()).toBe('dark');
  expect(await page.getByRole('columnheader', { name: 'Website' }).count()).toBe(0);
  await page.getByRole('button', { name: /^Theme: dark/ }).click();
  await page.getByRole('button', { name: /^Theme: system/ }).click();
  await expect.poll(theme).toBe('light');

  await app.selectFirst(5);
  await page.getByRole('button', { name: 'Select all 400 found' }).click();
  await page.getByText('400 selected').waitFor();
});

test('in forced colours, the hours of a week and the selection remain distinguishable', async () => {
  const { app } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await page.emulateMedia({ forcedColors: 'active' });
  const cid = await app.cidInRow(1);
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/schedule`);
  await page.getByRole('button', { name: 'Weekdays 8–20' }).click();
  const ground = (name: string): Promise<string> =>
    page
      .getByRole('gridcell', { name })
      .first()
      .evaluate((cell) => getComputedStyle(cell).backgroundColor);
  expect(await ground('Monday 09:00, on')).not.toBe(await ground('Monday 03:00, off'));
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const framed = (name: string): Promise<string> =>
    sections.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).outlineStyle);
  expect([await framed('Campaigns'), await framed('Ledger')]).toEqual(['solid', 'none']);
});
