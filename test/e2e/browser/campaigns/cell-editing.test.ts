import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import { dayNumber, dateOfDay } from '#shared/campaign/time/calendar.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { approveAll, countPresses } from '../../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

const columns = ['select', 'cid', 'name', 'status', 'payout', 'd_revenue', 't_revenue'] as const;

/** The cell of a row of the list; the first row is 1. */
const cell = (page: Page, row: number, column: (typeof columns)[number]): Locator =>
  page
    .locator(`[role=row][aria-rowindex="${row + 1}"]`)
    .getByRole('gridcell')
    .nth(columns.indexOf(column));

async function draftsOf(app: AppDriver): Promise<CampaignDraftView[]> {
  const { campaigns } = (await app.ask('drafts.get', { cids: null })) as { campaigns: CampaignDraftView[] };
  return campaigns;
}

const operationsOf = async (app: AppDriver, field: string): Promise<unknown[]> =>
  (await draftsOf(app)).flatMap(({ fields }) => fields[field]?.operations ?? []);

const editor = (page: Page): Locator => page.locator('[role=grid] input:not([type=checkbox])');

const active = (page: Page): Promise<string | null> =>
  page.getByRole('grid').getAttribute('aria-activedescendant');

const focusedList = (page: Page): Promise<void> =>
  page
    .locator(':focus')
    .and(page.getByRole('grid', { name: 'Campaigns' }))
    .waitFor();

/** The stored bid of a row of the list; the first row is 1. */
async function bidInRow(app: AppDriver, row: number): Promise<number> {
  const { edit } = (await app.ask('campaigns.get', { cid: await app.cidInRow(row) })) as {
    edit: { campaign: { payout: number } };
  };
  return edit.campaign.payout;
}

/** Pastes a text as the clipboard of the system does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

test('the user raises six bids by 10 % with two clicks and five keys, and one undo reverts them', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const presses = await countPresses(page);
  await cell(page, 1, 'payout').click();
  await cell(page, 6, 'payout').click({ modifiers: ['Shift'] });
  await page.getByRole('status').filter({ hasText: '6 selected' }).waitFor();
  await page.keyboard.type('+10%');
  await page.getByText('Ctrl Enter changes all 6 selected').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.locator('[role=gridcell]').getByText(', draft, was').nth(5).waitFor({ state: 'attached' });
  expect(await presses()).toBe(2);
  const raise = { kind: 'percent', percent: '10' };
  expect(await operationsOf(app, 'payout')).toEqual(Array.from({ length: 6 }, () => raise));
  await focusedList(page);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => draftsOf(app)).toEqual([]);
  await page.getByText(', draft, was').first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(async () => (await draftsOf(app)).length).toBe(6);
});

test('the keyboard alone edits a cell, moves on, cancels and returns to the rows, and other letters remain commands of the list', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => active(page)).toBe('cell-0-name');
  for (const column of ['status', 'payout', 'd_revenue']) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => active(page)).toBe(`cell-0-${column}`);
  }
  expect(await cell(page, 1, 'd_revenue').getAttribute('aria-readonly')).toBe('false');
  expect(await cell(page, 1, 'cid').getAttribute('aria-readonly')).toBe('true');

  // A digit would go to another page, and a letter of no amount is a command.
  await page.keyboard.type('1.2k');
  await page.getByText('$1,200.00', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => active(page)).toBe('cell-0-t_revenue');
  await page.keyboard.press('j');
  await expect.poll(() => active(page)).toBe('cell-1-t_revenue');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => operationsOf(app, 'd_revenue')).toEqual([{ kind: 'set', value: 1_200 }]);

  await page.getByRole('grid').focus();
  await cell(page, 1, 'payout').click();
  await page.keyboard.press('Enter');
  await expect.poll(() => editor(page).inputValue()).toBe(String(await bidInRow(app, 1)));
  await page.keyboard.type('9');
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  await focusedList(page);
  expect(await operationsOf(app, 'payout')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => active(page)).toBe('row-0');
});

test('a refused value stays in its editor with the rule and a remedy, whether the app or the service refuses it', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  await cell(page, 2, 'payout').dblclick();
  await editor(page).fill('10%');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Write +10% to raise or -10% to lower.').waitFor();
  await expect.poll(() => editor(page).inputValue()).toBe('10%');
  expect(await axeFaults(page)).toEqual([]);
  // The core knows the limits of the campaign's type. The text comes back with its reason.
  await editor(page).fill('99999');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(/^Bid/).waitFor();
  await expect.poll(() => editor(page).inputValue()).toBe('99999');
  // A person who goes on elsewhere finds the text and its reason in the cell.
  await page.getByLabel('Search campaigns').click();
  await page.getByText(', not accepted: Bid').waitFor({ state: 'attached' });
  expect(await draftsOf(app)).toEqual([]);
  await cell(page, 2, 'payout').click();
  await page.keyboard.press('F2');
  await expect.poll(() => editor(page).inputValue()).toBe('99999');
  await editor(page).fill('0.5');
  await page.keyboard.press('Enter');
  await expect.poll(() => operationsOf(app, 'payout')).toEqual([{ kind: 'set', value: 0.5 }]);
  await page.getByText(', not accepted: ').waitFor({ state: 'detached' });
});

test('a cell edited while the service is away is drafted if the campaign was read recently, else keeps its text and the reason until the service is back', async () => {
  const { app, faults } = await startSession();
  const { page } = app;
  await app.until('first row');
  expect(await bidInRow(app, 1)).toBeGreaterThan(0);
  const back = faults.arm({ kind: 'answer', status: 503, lasts: true });
  await cell(page, 1, 'payout').dblclick();
  await editor(page).fill('+10%');
  await page.keyboard.press('Enter');
  const drafted = [{ kind: 'percent', percent: '10' }];
  await expect.poll(() => operationsOf(app, 'payout')).toEqual(drafted);

  await cell(page, 3, 'payout').dblclick();
  await editor(page).fill('+20%');
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/^The service is not ready\. Wait until it is back\./)
    .waitFor();
  await expect.poll(() => editor(page).inputValue()).toBe('+20%');
  expect(await axeFaults(page)).toEqual([]);
  expect(await operationsOf(app, 'payout')).toEqual(drafted);

  back();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => operationsOf(app, 'payout'))
    .toEqual([{ kind: 'percent', percent: '20' }, ...drafted].toReversed());
  await page.getByText(', not accepted: ').waitFor({ state: 'detached' });
});

test('the user edits a name and a status, selects a range by dragging, and fills it down', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  await cell(page, 3, 'name').dblclick();
  await editor(page).fill('A new name');
  await page.keyboard.press('Enter');
  await cell(page, 3, 'name').getByText('A new name').waitFor();
  await page.getByRole('button', { name: 'Close the campaign' }).click();

  await cell(page, 1, 'status').click();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox', { name: 'Status' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('option', { name: 'Scheduled' }).click();
  await cell(page, 1, 'status').getByText('Scheduled').waitFor();

  const [from, to] = [
    await cell(page, 1, 'status').boundingBox(),
    await cell(page, 4, 'status').boundingBox(),
  ];
  await page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 10, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('status').filter({ hasText: '4 selected' }).waitFor();
  await page.keyboard.press('Control+d');
  for (const row of [2, 3, 4]) await cell(page, row, 'status').getByText('Scheduled').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('toolbar', { name: 'Selected campaigns' }).waitFor({ state: 'detached' });
});

test('pasting a column from a spreadsheet shows what does not fit before it applies anything, and the column is copied as it is shown', async () => {
  const { app } = await startSession();
  const { page } = app;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.until('first row');
  await cell(page, 1, 'payout').click();
  await paste(page, 'Bid\r\n+1%\r\nten\r\n+2%\r\n99,999,999\r\n+3%\r\n');
  const dialog = page.getByRole('dialog', { name: 'Paste 5 values into Bid?' });
  await dialog.getByText('2 values do not fit and are left out.').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(2);
  expect(await draftsOf(app)).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Paste 3' }).click();
  const percents = async (): Promise<unknown[]> =>
    (await operationsOf(app, 'payout')).map((operation) => (operation as { percent: string }).percent);
  await expect.poll(async () => (await percents()).toSorted()).toEqual(['1', '2', '3']);
  await cell(page, 5, 'payout').getByText(', draft, was').waitFor({ state: 'attached' });
  await focusedList(page);

  // The value with its draft is copied.
  await cell(page, 1, 'payout').click();
  await page.keyboard.press('Control+c');
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const raised = (await bidInRow(app, 1)) * 1.01;
  await expect.poll(async () => Number(await copied())).toBeCloseTo(raised, 5);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toMatch(/^ID\tName\tStatus\tBid\tDaily budget\t/);
  const [, line = ''] = (await copied()).split(/\r?\n/);
  expect(line.split('\t')[0]).toBe(String(await app.cidInRow(1)));
});

test('the context menu offers the actions of the row by mouse and by keyboard', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(2);
  await second.change(cid, { status: 1 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await cell(page, 2, 'status').getByText('Active').waitFor();
  await cell(page, 2, 'payout').click({ button: 'right' });
  const menu = page.getByRole('menu', { name: `Actions for campaign ${cid}` });
  await menu.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await menu.getByRole('menuitem', { name: 'Edit bid' }).click();
  await editor(page).fill('+5%');
  await page.keyboard.press('Enter');
  await expect.poll(() => operationsOf(app, 'payout')).toEqual([{ kind: 'percent', percent: '5' }]);
  // The menu offers to remove a draft that the page has read.
  await cell(page, 2, 'payout').getByText(', draft, was').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+F10');
  await menu.waitFor();
  await menu.getByRole('menuitem', { name: 'Remove this draft' }).click();
  await expect.poll(() => draftsOf(app)).toEqual([]);
  await focusedList(page);
  await page.keyboard.press('Shift+F10');
  await app.confirmationFrom(menu.getByRole('menuitem', { name: 'Pause…' }));
});

test('the user extends an end date in its cell and approves it with three presses and five keys', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(1);
  const today = dayNumber(new Date().toISOString().slice(0, 10)) ?? 0;
  const soon = dateOfDay(today + 20);
  const flight = { enable_time: 1, create: dateOfDay(today), create_time: '00:00' };
  await second.change(cid, { ...flight, expire: soon, expire_time: '23:59' });
  await page.getByRole('button', { name: 'Show and hide columns' }).click();
  await page.getByRole('checkbox', { name: 'End' }).click({ force: true });
  await page.keyboard.press('Escape');
  const end = app.row(cid).getByRole('gridcell', { name: fullDateText(soon) });
  await end.waitFor();

  const presses = await countPresses(page);
  await end.click();
  await page.keyboard.type('+14d');
  await page.getByText(/, 14 days later$/).waitFor();
  await page.keyboard.press('Enter');
  await app
    .row(cid)
    .getByText(fullDateText(dateOfDay(today + 34)))
    .waitFor();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Drafts' }).click();
  const review = page.getByRole('button', { name: 'Review 1 campaign' });
  expect(await approveAll(await app.confirmationFrom(review))).toBeLessThanOrEqual(2);
  await app.turnTo();
  expect(await presses()).toBe(3);
  expect((await second.read(cid))['expire']).toBe(dateOfDay(today + 34));
});
