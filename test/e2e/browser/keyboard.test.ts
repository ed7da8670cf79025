import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppDriver } from '../driver/app.ts';
import { quickKeyboard, type Stroke } from '../driver/keys.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const delaysMs = [0, 60, 140];

/** Letters that are commands of the list: edit, select, next row. */
const letters = 'exj';

/** Reloads the page, so that no code of an overlay is loaded, and focuses the list. */
async function freshList(app: AppDriver): Promise<void> {
  await app.page.evaluate(() => (location.hash = '#/campaigns'));
  await app.page.reload();
  await app.until('first row');
  await app.page.getByRole('grid').focus();
}

const untouched = (page: Page): Promise<unknown> =>
  page.evaluate(() => ({
    hash: location.hash,
    selected: document.querySelectorAll('[role=row][aria-selected=true]').length,
    edited: document.querySelectorAll('[role=row] [data-edited]').length,
    cursor: document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant') ?? null,
  }));

test('keys typed after the palette’s shortcut go to its field, and none to the list or the open campaign', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(3);
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  for (const delayMs of delaysMs) {
    await freshList(app);
    const keyboard = await quickKeyboard(page);
    const before = await untouched(page);
    await keyboard.pressThenType({ key: 'k', held: 'ctrl' }, letters, delayMs);
    await expect.poll(() => field.inputValue(), { message: `${delayMs} ms after it` }).toBe(letters);
    expect(await untouched(page), `${delayMs} ms after it`).toEqual(before);
    await page.keyboard.press('Escape');

    // In the open campaign a field has the focus, and the letters would become a draft.
    await freshList(app);
    await app.row(cid).getByRole('gridcell').nth(2).click();
    const name = app.panel(cid).getByLabel('Name', { exact: true });
    await name.focus();
    const stored = await name.inputValue();
    await keyboard.pressThenType({ key: 'k', held: 'ctrl' }, letters, delayMs);
    await expect
      .poll(() => field.inputValue(), { message: `${delayMs} ms after it, in the panel` })
      .toBe(letters);
    await expect.poll(() => name.inputValue()).toBe(stored);
    await page.keyboard.press('Escape');
  }
});

test('keys typed after “/” go to the search field on every page', async () => {
  const { app } = await startSession();
  const { page } = app;
  const field = page.getByLabel('Search campaigns');
  for (const [from, title] of [
    ['#/campaigns', 'Campaigns'],
    ['#/agents', 'Agents'],
  ] as const) {
    for (const delayMs of delaysMs) {
      await freshList(app);
      await page.evaluate((hash) => (location.hash = hash), from);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await (await quickKeyboard(page)).pressThenType({ key: '/' }, letters, delayMs);
      await expect
        .poll(() => field.inputValue(), { message: `${delayMs} ms after it, from ${from}` })
        .toBe(letters);
      // The search would survive the next reload.
      await field.fill('');
      await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/campaigns');
    }
  }
});

const opening: { name: string; shortcut: Stroke; hash: string }[] = [
  { name: 'Keyboard shortcuts', shortcut: { key: '?', held: 'shift' }, hash: '#/campaigns' },
  { name: 'Proposals', shortcut: { key: '3' }, hash: '#/proposals' },
  { name: 'Ledger', shortcut: { key: '6' }, hash: '#/ledger' },
  { name: 'Agents', shortcut: { key: '7' }, hash: '#/agents' },
];

test('keys typed after the shortcut of a page or dialog do nothing in the list', async () => {
  const { app } = await startSession();
  const { page } = app;
  for (const { name, shortcut, hash } of opening) {
    for (const delayMs of delaysMs) {
      await freshList(app);
      await (await quickKeyboard(page)).pressThenType(shortcut, letters, delayMs);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      expect(await page.evaluate(() => location.hash), `${delayMs} ms after ${name}`).toBe(hash);
      expect(await page.getByText('1 selected').count()).toBe(0);
    }
  }
});

test('keys typed after “e” do nothing until the campaign has opened, and then go to its name', async () => {
  const { app, faults } = await startSession();
  const { page } = app;
  for (const delayMs of delaysMs) {
    await freshList(app);
    const cid = await app.cidInRow(1);
    faults.arm({ kind: 'slow', ms: 1000, method: 'GET', path: `/login/campaigns/${cid}` });
    await (await quickKeyboard(page)).pressThenType({ key: 'e' }, 'xj3?', delayMs);
    const name = app.panel(cid).getByLabel('Name', { exact: true });
    await name.and(page.locator(':focus')).waitFor();
    expect(await page.evaluate(() => location.hash), `${delayMs} ms after it`).toBe(`#/campaigns/${cid}`);
    expect(await page.getByText('1 selected').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.type('New');
    await expect.poll(() => name.inputValue()).toBe('New');
    await app.panel(cid).getByRole('button', { name: 'Discard' }).click();
  }
});

test('Enter that ends a composed word runs no command and chooses no result, and a held shortcut opens the palette once', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const endWord = (field: Locator): Promise<void> =>
    field.evaluate((element) => {
      const enter = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
  const hash = await page.evaluate(() => location.hash);
  const search = page.getByRole('textbox', { name: 'Search campaigns' });
  await search.focus();
  await endWord(search);
  expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.down('Control');
  for (let count = 0; count < 4; count += 1) await page.keyboard.down('k');
  await page.keyboard.up('k');
  await page.keyboard.up('Control');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await expect.poll(() => field.count()).toBe(1);
  await field.fill('ledger');
  await endWord(field);
  await expect.poll(() => field.inputValue()).toBe('ledger');
  expect(await page.evaluate(() => location.hash)).toBe(hash);
  await field.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('#/ledger');
});

test('on a Russian keyboard each shortcut is on the same physical key as on a US keyboard', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const press = (key: string, code: string, held: object = {}): Promise<void> =>
    page.evaluate(
      ({ key, code, held }) => {
        const target = document.activeElement ?? document.body;
        const press = { key, code, ...held, bubbles: true, cancelable: true };
        target.dispatchEvent(new KeyboardEvent('keydown', press));
      },
      { key, code, held },
    );
  await page.getByRole('grid').focus();
  await press('о', 'KeyJ');
  await press('ч', 'KeyX');
  await page.getByText('1 selected').waitFor();
  await press('у', 'KeyE');
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/#\/campaigns\/\d+/u);
  // The open campaign takes the focus when it has loaded.
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await press('л', 'KeyK', { ctrlKey: true });
  const palette = page.getByRole('combobox', { name: 'Search and commands' });
  await palette.waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  // In a field, the emergency stop would ask first.
  await page.getByRole('grid').focus();
  await press('Р', 'KeyH', { ctrlKey: true, shiftKey: true });
  await page.getByText('Nothing is paused yet.').waitFor();
});

test('the emergency stop shortcut asks once while the user types, and a second press stops agents', async () => {
  const { app } = await startSession({ demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  const question = page.getByRole('dialog', { name: 'Stop all agents?' });
  const isFrozen = async (): Promise<boolean> =>
    ((await app.ask('agents.get', {})) as { frozenSinceMs: number | null }).frozenSinceMs !== null;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await field.fill('led');
  await page.keyboard.press('Control+Shift+h');
  await question.getByRole('button', { name: 'Keep typing' }).click();
  await question.waitFor({ state: 'detached' });
  await page.keyboard.type('ger');
  await expect.poll(() => field.inputValue()).toBe('ledger');
  expect(await isFrozen()).toBe(false);
  await page.keyboard.press('Control+Shift+h');
  await question.waitFor();
  await page.keyboard.press('Control+Shift+h');
  await question.waitFor({ state: 'detached' });
  await expect.poll(isFrozen).toBe(true);
});

test('the first Tab offers to skip to the content, later keys move in the table, and a page change keeps the focus on the new page', async () => {
  const { app } = await startSession({ demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  const focused = page.locator(':focus');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await focused.and(page.getByRole('grid', { name: 'Campaigns' })).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('row-1');
  // A click that opens the panel leaves the focus in the table.
  const cid = await app.cidInRow(3);
  await app.row(cid).getByRole('gridcell').nth(2).click();
  await app.panel(cid).getByLabel('Name', { exact: true }).waitFor();
  await focused.and(page.getByRole('grid', { name: 'Campaigns' })).waitFor();
  await page.keyboard.press('Escape');

  // The page with the focus is replaced, and Tab begins in the next page.
  await page.keyboard.press('7');
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await focused.and(page.getByRole('link', { name: 'Guide' })).waitFor();
});
