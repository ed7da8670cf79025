import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { countPresses } from '../../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

const chip = (page: Page, words: string): Locator =>
  page
    .getByRole('list', { name: 'Filters' })
    .getByRole('button', { name: `Change filter ${words}`, exact: true });

const loadAll = (page: Page): Locator => page.getByRole('button', { name: 'Load all in full' }).first();

/** A panel's hidden close buttons for screen readers are outside of any landmark, so axe checks the dialog alone. */
const openPanel = '[role="dialog"]';

const panel = (page: Page): Locator => page.getByRole('dialog');

/** Types the name of a filter once the panel has the focus: before, letters are commands of the list. */
async function typeKind(page: Page, text: string): Promise<void> {
  await panel(page).getByLabel('Find a filter').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}

async function addFilter(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter', exact: true }).click();
  await panel(page).getByRole('button', { name: title, exact: true }).click();
  await panel(page).getByRole('button', { name: 'Apply filter' }).click();
  await panel(page).waitFor({ state: 'detached' });
}

async function everyRow(app: AppDriver): Promise<CampaignRow[]> {
  const filter = { query: '', status: null, types: [], sort: 'cid', order: 'desc' };
  const pages = [1, 2].map((page) => app.ask('campaigns.page', { filter, page, perPage: 200 }));
  return (await Promise.all(pages)).flatMap((page) => (page as { rows: CampaignRow[] }).rows);
}

test('the user finds active push campaigns in Brazil above $100, including worldwide and unlimited ones, and finds them again after a reload and by a saved filter after a restart', async () => {
  const { app, restartCore, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const isPush = ({ type_name }: CampaignRow): boolean => /push/i.test(type_name);
  const wanted = (await everyRow(app)).filter(
    (row) =>
      row.status === 1 &&
      isPush(row) &&
      (row.geo.length === 0 || row.geo.includes('BR')) &&
      (row.daily_budget > 100 || row.daily_budget === 0),
  );
  const listed = wanted.filter((row) => row.geo.length > 0);
  expect(listed.length).toBeGreaterThan(0);
  expect(wanted.length).toBeGreaterThan(listed.length);
  const types = new Set(wanted.map(({ type_name }) => type_name));

  const presses = await countPresses(page);
  const press = (place: Locator): Promise<void> => place.click();
  await press(page.getByRole('button', { name: 'Filter by status' }));
  await press(page.getByRole('menuitemradio', { name: 'Active', exact: true }));
  await press(page.getByRole('button', { name: 'Add filter', exact: true }));
  expect(await axeFaults(page, openPanel)).toEqual([]);
  await typeKind(page, 'type');
  await page.keyboard.press('Enter');
  for (const name of types) await press(panel(page).getByRole('checkbox', { name, exact: true }));
  await press(panel(page).getByRole('button', { name: 'Apply filter' }));
  await press(page.getByRole('button', { name: 'Add filter', exact: true }));
  await typeKind(page, 'country');
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Back to all filters' }).waitFor();
  await panel(page).locator('input:focus').waitFor();
  await page.keyboard.type('brazil');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await chip(page, 'Country: Brazil or worldwide').waitFor();
  await press(page.getByRole('button', { name: 'Add filter', exact: true }));
  await typeKind(page, 'budget');
  await page.keyboard.press('Enter');
  await panel(page).getByLabel('Amount', { exact: true }).fill('100');
  await page.keyboard.press('Enter');
  await chip(page, 'Daily budget above $100').waitFor();
  expect(await presses()).toBe(6 + types.size);

  await page.getByText(`${wanted.length} of 400 campaigns`, { exact: true }).waitFor();
  await app.until('list at rest');
  for (const { cid } of wanted) await app.row(cid).waitFor();

  await page.getByRole('button', { name: 'Exclude worldwide' }).press('Enter');
  await chip(page, 'Country: Brazil').waitFor();
  await page.getByText(`${listed.length} of 400 campaigns`, { exact: true }).waitFor();
  await page.reload();
  await page.getByText(`${listed.length} of 400 campaigns`, { exact: true }).waitFor();
  await chip(page, 'Daily budget above $100').waitFor();
  await page.getByRole('button', { name: 'Include worldwide' }).press('Enter');
  await page.getByRole('button', { name: 'Exclude worldwide' }).and(page.locator(':focus')).waitFor();
  await page.getByText(`${wanted.length} of 400 campaigns`, { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Saved filters and views' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save filter' });
  await dialog.getByLabel('Name', { exact: true }).fill('Brazil push');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await complaints()).toEqual([]);

  const again = (await restartCore()).page;
  await again.getByText('400 campaigns', { exact: true }).waitFor();
  await again.getByRole('button', { name: 'Saved filters and views' }).click();
  expect(await axeFaults(again)).toEqual([]);
  await again.getByRole('menuitem', { name: 'Brazil push' }).click();
  await chip(again, 'Daily budget above $100').waitFor();
  await again.getByText(`${wanted.length} of 400 campaigns`, { exact: true }).waitFor();
});

test('digits typed after choosing a bid filter are its amount and not shortcuts', async () => {
  const { app } = await startSession({ demoCampaigns: 40 });
  const { page } = app;
  await app.until('first row');
  await page.getByRole('button', { name: 'Add filter', exact: true }).click();
  await typeKind(page, 'bid');
  await page.keyboard.press('Enter');
  await panel(page).getByLabel('At least', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('0.05');
  await page.keyboard.press('Enter');
  const added = page.getByRole('button', { name: /^Change filter Bid at least \$0\.05/ });
  await expect.poll(() => added.count()).toBe(1);
});

test('filters on details find campaigns once these are loaded, and the coverage states how many are', async () => {
  const { app, second } = await startSession({ demoCampaigns: 120 });
  const { page } = app;
  await app.until('first row');
  await addFilter(page, 'No end date');
  await page.getByRole('heading', { name: 'No results yet' }).waitFor();
  await page.getByText('Searched 0 of 120 campaigns; 120 more campaigns may match').waitFor();
  await loadAll(page).click();
  await page.getByText('Searched all 120 campaigns', { exact: true }).waitFor();
  await app.until('first row');
  expect(await axeFaults(page)).toEqual([]);
  const cid = await app.cidInRow(1);
  const { enable_time, expire } = await second.read(cid);
  expect(enable_time === 1 && expire !== '').toBe(false);

  await page.getByRole('button', { name: 'Remove filter No end date' }).click();
  await page.getByText('120 campaigns', { exact: true }).waitFor();
});

test('the user selects all results, including rows that are not loaded, and labels them on this computer only', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.selectFirst(2);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/campaigns.foundIds', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Select all 400 found' }).click();
  await page.getByRole('button', { name: 'Selecting 400…' }).waitFor();
  // An action would use only the part that is selected already.
  for (const name of ['Change…', 'Pause…']) {
    await expect.poll(() => page.getByRole('button', { name }).isDisabled()).toBe(true);
  }
  held.resolve();
  await page.getByRole('status').filter({ hasText: '400 selected' }).waitFor();

  await page.getByRole('button', { name: 'Labels of the selected campaigns' }).click();
  await panel(page).getByLabel('New label').fill('Client A');
  await panel(page).getByText('violet').click();
  const isDrawnByApp = (box: Element): boolean => getComputedStyle(box).appearance === 'none';
  expect(await panel(page).getByRole('radio', { checked: true }).evaluate(isDrawnByApp)).toBe(true);
  await panel(page).getByRole('button', { name: 'Add label' }).click();
  await panel(page).getByRole('checkbox', { name: 'Client A' }).waitFor();
  expect(await axeFaults(page, openPanel)).toEqual([]);
  await page.keyboard.press('Escape');
  const cid = await app.cidInRow(1);
  await app.row(cid).getByLabel('Labels: Client A').first().waitFor();

  await app.open(cid);
  const notes = app.panel(cid).getByRole('region', { name: 'Labels & note' });
  await notes.getByLabel('Labels: Client A').waitFor();
  const error = encodeError(new AppError('storage_failed'));
  await page.route('**/api/campaigns.setNote', (route) => route.fulfill({ status: 507, json: { error } }));
  const note = notes.getByRole('textbox', { name: 'Note' });
  await note.fill('Ask before raising');
  await notes.getByText(error.message).waitFor();
  await expect.poll(() => note.inputValue()).toBe('Ask before raising');
  await expect.poll(() => note.getAttribute('aria-invalid')).toBe('true');
  await page.unroute('**/api/campaigns.setNote');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await notes.getByRole('button', { name: 'Save note' }).waitFor({ state: 'detached' });
  await app.panel(cid).getByRole('link', { name: 'Edit all' }).click();
  await page.getByRole('link', { name: 'Back to the list' }).waitFor();
  await notes.getByLabel('Labels: Client A').waitFor();
  await expect.poll(() => notes.getByLabel('Note', { exact: true }).inputValue()).toBe('Ask before raising');
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await app.search('');

  await addFilter(page, 'Note');
  await page.getByText('1 of 400 campaigns', { exact: true }).waitFor();
  await app.row(cid).waitFor();
  expect(second.count('PUT', '/login/campaigns')).toBe(0);
});

test('a note is saved however the user leaves its field', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid, other] = [await app.cidInRow(1), await app.cidInRow(2)];
  const noteOf = (of: number): Locator =>
    app.panel(of).getByRole('region', { name: 'Labels & note' }).getByLabel('Note', { exact: true });
  await app.row(cid).getByRole('gridcell').nth(1).click();
  await noteOf(cid).fill('Escape');
  await page.keyboard.press('Escape');
  await noteOf(cid).waitFor({ state: 'detached' });
  await app.row(cid).getByRole('gridcell').nth(1).click();
  await expect.poll(() => noteOf(cid).inputValue()).toBe('Escape');

  await noteOf(cid).fill('Another row');
  await app.row(other).getByRole('gridcell').nth(1).click();
  await noteOf(other).waitFor();
  await expect.poll(() => noteOf(other).inputValue()).toBe('');
  await app.row(cid).getByRole('gridcell').nth(1).click();
  await expect.poll(() => noteOf(cid).inputValue()).toBe('Another row');

  await noteOf(cid).fill('Reload');
  await app.panel(cid).getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  await noteOf(cid).waitFor();
  await expect.poll(() => noteOf(cid).inputValue()).toBe('Reload');
});

test('the user reorders columns, a saved view restores the order, and a pasted list of ids becomes a filter', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const titles = (): Promise<(string | null)[]> =>
    page
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.slice(0, 4).map((head) => head.getAttribute('aria-label')));
  const open = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const arranged = ['Selected', 'ID', 'Name', 'Last change'];

  await open('Show and hide columns');
  for (let up = 0; up < 8; up += 1) await open('Move Last change up');
  await page.keyboard.press('Escape');
  await expect.poll(titles).toEqual(arranged);

  await open('Saved filters and views');
  await page.getByRole('menuitem', { name: 'Save this filter…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save filter' });
  await dialog.getByLabel('Name', { exact: true }).fill('Changes');
  await dialog.getByRole('checkbox', { name: 'With columns' }).click();
  await dialog.getByRole('button', { name: 'Save filter' }).click();
  await dialog.waitFor({ state: 'detached' });

  await open('Show and hide columns');
  await open('Reset columns');
  await page.keyboard.press('Escape');
  await expect.poll(titles).toEqual(['Selected', 'ID', 'Name', 'Status']);
  await open('Saved filters and views');
  await page.getByRole('menuitem', { name: 'Changes' }).click();
  await expect.poll(titles).toEqual(arranged);

  const ids = (await everyRow(app)).slice(3, 43).map(({ cid }) => cid);
  const search = page.getByRole('textbox', { name: 'Search campaigns' });
  await search.evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, ids.join(', '));
  await page.getByText('40 of 400 campaigns', { exact: true }).waitFor();
  await expect.poll(() => search.inputValue()).toBe('');
  await search.fill('x'.repeat(300));
  await expect.poll(() => search.inputValue()).toHaveLength(255);
  await page.getByText('No results').waitFor();
  expect(await complaints()).toEqual([]);
});
