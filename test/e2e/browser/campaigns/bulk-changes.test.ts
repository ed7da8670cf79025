import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import { targetingDimensions } from '#shared/campaign/fields/targeting.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { holdReads } from '../../driver/held-reads.ts';
import { approveAll, countPresses } from '../../driver/presses.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const { startSession } = prepareBrowserSessions();

async function draftsOf(app: AppDriver): Promise<CampaignDraftView[]> {
  const { campaigns } = (await app.ask('drafts.get', { cids: null })) as { campaigns: CampaignDraftView[] };
  return campaigns;
}

async function changeFirst(app: AppDriver, count: number): Promise<void> {
  await app.selectFirst(count);
  await app.page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await app.page.getByRole('heading', { name: `Change ${count} campaigns` }).waitFor();
}

const counts = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();

const addToDrafts = (page: Page): Locator => page.getByRole('button', { name: 'Add to drafts' });

/**
 * Opens the drafts from the note about added changes, reviews all of them and approves. Returns the number of presses in the
 * confirmation.
 */
async function reviewAll(app: AppDriver, changes: number): Promise<number> {
  const { page } = app;
  await page.getByRole('link', { name: 'Review drafts' }).click();
  const review = page.getByRole('button', { name: `Review ${defaultFormats.counted(changes, 'campaign')}` });
  const approvals = await approveAll(await app.confirmationFrom(review));
  await app.turnTo();
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  return approvals;
}

function cutOff(parts: Locator): Promise<string[]> {
  return parts.evaluateAll((all) =>
    all
      .filter((part) => {
        const cell = part.closest('[role="gridcell"]')?.getBoundingClientRect();
        return cell === undefined || part.getBoundingClientRect().right > cell.right;
      })
      .map(({ textContent }) => textContent),
  );
}

test('the user replaces a domain in twelve click URLs, typed once, with seven presses before the review', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const cids = (await second.cids({ perPage: 12 })).slice(0, 12);
  for (const cid of cids) await second.change(cid, { clickurl: `https://old.example/go?c=${cid}` });
  await app.until('first row');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const presses = await countPresses(page);
  await changeFirst(app, 12);
  await app.chooseChange('Find and replace');
  await page.getByLabel('Find', { exact: true }).fill('//old.example/');
  await page.getByLabel('Replace with').fill('//new.example/');
  await counts(page, '12 change');
  const preview = page.getByRole('grid', { name: 'Preview of the change' });
  // The difference is visible in each of the columns.
  await expect
    .poll(() => preview.locator('mark').allInnerTexts())
    .toEqual(cids.flatMap(() => ['old', 'new']));
  expect(await cutOff(preview.locator('mark'))).toEqual([]);
  await addToDrafts(page).click();
  await page.getByText('in 12 campaigns.').waitFor();
  const drafts = await draftsOf(app);
  expect(new Set(drafts.flatMap(({ fields }) => Object.keys(fields)))).toEqual(new Set(['clickurl']));
  await reviewAll(app, 12);
  expect(await presses()).toBe(7);
  for (const cid of cids)
    expect((await second.read(cid))['clickurl']).toBe(`https://new.example/go?c=${cid}`);
});

test('the user sets three campaigns to weekdays from 8 to 20 with seven presses before the review', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ perPage: 3 });
  for (const cid of cids) await second.change(cid, { enable_shedule: 0 });
  const presses = await countPresses(page);
  await changeFirst(app, 3);
  await app.chooseChange('Weekly schedule');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await counts(page, '3 change');
  await addToDrafts(page).click();
  await page.getByText('Added to the drafts: Run 60 hours a week in 3 campaigns.').waitFor();
  await reviewAll(app, 3);
  expect(await presses()).toBe(7);
  const isOfficeHour = (hour: number): boolean => hour < 5 * 24 && hour % 24 >= 8 && hour % 24 < 20;
  const week = Array.from({ length: 168 }, (_, hour) => (isOfficeHour(hour) ? 1 : 0));
  for (const cid of cids) {
    const { enable_shedule, shedule, shedule_timezone } = await second.read(cid);
    expect({ enable_shedule, shedule, shedule_timezone }).toEqual({
      enable_shedule: 1,
      shedule: week,
      shedule_timezone: 'Europe/Berlin',
    });
  }
});

test('the user copies the targeting of one campaign to four others with eight presses before the review', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [source = 0] = await second.cids({ page: 6, perPage: 1 });
  const targeting: JsonObject = {};
  for (const { flag, list } of targetingDimensions) Object.assign(targeting, { [flag]: 1, [list]: [] });
  Object.assign(targeting, { geo_enabled: 0, geo: ['JP', 'KR'] });
  await second.change(source, targeting);
  await app.until('first row');
  const cids = await second.cids({ perPage: 4 });
  const before = await Promise.all(cids.map((cid) => second.read(cid)));
  const presses = await countPresses(page);
  await changeFirst(app, 4);
  await app.chooseChange('Copy from another campaign');
  const found = page.getByRole('list', { name: 'Campaigns to copy from' }).getByRole('button');
  await found.first().waitFor();
  const release = await holdReads(page);
  await page.getByRole('textbox', { name: 'Copy from' }).fill(String(source));
  // Results of an earlier text must not be selectable.
  expect(await found.count()).toBe(0);
  release();
  await found.first().click();
  await counts(page, '4 change');
  await addToDrafts(page).click();
  await page
    .getByText(`Added to the drafts: Paste targeting of campaign ${source} into 4 campaigns.`)
    .waitFor();
  await reviewAll(app, 4);
  expect(await presses()).toBe(8);
  for (const campaign of before)
    expect(await second.read(Number(campaign['cid']))).toEqual({ ...campaign, ...targeting });
});

async function cutCells(page: Page, columns: readonly string[]): Promise<string[]> {
  return page.getByRole('grid', { name: 'Preview of the change' }).evaluate((grid, names) => {
    const titles = [...grid.querySelectorAll('[role="columnheader"]')].map((head) => head.textContent);
    const at = new Set(names.map((name) => String(titles.indexOf(name) + 1)));
    const cells = [...grid.querySelectorAll('[role="gridcell"]')].filter((cell) =>
      at.has(cell.getAttribute('aria-colindex') ?? ''),
    );
    const parts = cells.flatMap((cell) => [cell, ...cell.querySelectorAll('*')]);
    return parts
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map(({ textContent }) => textContent);
  }, columns);
}

test('the preview of a bulk change never cuts off amounts, keeps names readable, and shows a problem in place of a value', async () => {
  const { app, second } = await startSession({ demoCampaigns: 40 });
  const { page } = app;
  const cids = (await second.cids({ perPage: 6 })).slice(0, 6);
  const other = cids[0] ?? 0;
  for (const [index, cid] of cids.entries())
    await second.change(cid, { status: 1, enable_budget: 1, d_revenue: 10 ** (index + 2), t_revenue: 0 });
  await second.change(other, { name: 'A campaign with a name as long as people give them · v7' });
  await app.until('first row');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await changeFirst(app, 6);
  await app.chooseChange('Daily budget');
  await page.getByLabel('Amount').fill('123456.5');
  await counts(page, '6 change');
  const grid = page.getByRole('grid', { name: 'Preview of the change' });
  await grid.getByText('$10,000.00 → $123,456.50').waitFor();
  for (const width of [1280, 1680]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await cutCells(page, ['Field', 'Before', 'After', 'At risk per day'])).toEqual([]);
    expect(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const name = await grid.getByText(/^A campaign with a name/u).boundingBox();
    expect(name?.width).toBeGreaterThan(130);
  }
  await expect
    .poll(() => grid.getByRole('columnheader').allInnerTexts())
    .toEqual(['Campaign', 'Field', 'Before', 'After', 'At risk per day']);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel('Amount').fill('0.5');
  await counts(page, /[1-9] problem/u);
  const problem = grid
    .getByRole('gridcell')
    .filter({ hasText: /Daily budget must/u })
    .first();
  await expect.poll(() => problem.getAttribute('aria-colspan')).toBe('3');
  expect(await cutCells(page, ['At risk per day'])).toEqual([]);
});

/** Returns the file with one cell of a line replaced. A name may contain separators, so the cell is quoted. */
function withCell(lines: string[], { line, at, cell }: { line: number; at: number; cell: string }): void {
  const cells = (lines[line - 1] ?? '').match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/gu) ?? [];
  cells[at] = `${cell},`;
  lines[line - 1] = cells.join('');
}

test('the user exports campaigns to a spreadsheet and imports them with three faults, a conflict, a rounded bid and a shortened name, and the rest is stored', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [rounded = 0, lost = 0] = (await second.cids({ perPage: 7 })).slice(5);
  const thousandths = Math.ceil(Number((await second.read(rounded))['payout']) * 1_000);
  await second.change(rounded, { payout: Number(`${thousandths}4e-4`) });
  await second.change(lost, { name: 'Zürich – Sommer' });
  await app.until('first row');
  const presses = await countPresses(page);
  await changeFirst(app, 7);
  await page.getByRole('button', { name: 'Export CSV…' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d+ columns/u }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  const at = (lines[0] ?? '').split(',').findIndex((title) => title.includes('(payout)'));
  const nameAt = (lines[0] ?? '').split(',').findIndex((title) => title.includes('(name)'));
  const [changed, conflicting] = [2, 6].map((line) => Number(lines[line - 1]?.split(',')[0]));
  await second.change(conflicting ?? 0, { payout: 0.0555 });
  withCell(lines, { line: 2, at, cell: '0.0777' });
  withCell(lines, { line: 3, at, cell: 'cheap' });
  withCell(lines, { line: 4, at: 0, cell: '99999999' });
  withCell(lines, { line: 5, at: 0, cell: '' });
  withCell(lines, { line: 6, at, cell: '0.0666' });
  withCell(lines, { line: 7, at, cell: (thousandths / 1_000).toFixed(3) });
  withCell(lines, { line: 8, at: nameAt, cell: 'Z?rich ? Sommer' });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open CSV…' }).click();
  const buffer = Buffer.from(lines.join('\r\n'));
  await (await chooser).setFiles({ name: 'edited.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('heading', { name: 'Change 6 campaigns' }).waitFor();
  await page.getByText('2 lines skipped').waitFor();
  await page.getByText(/^Line 4: Campaign 99999999/u).waitFor();
  await page.getByText(/^Line 5: It has no campaign id/u).waitFor();
  await counts(page, '1 change, 1 conflict, 3 problems');
  await page
    .getByRole('row')
    .filter({ hasText: 'Choose whether rounded numbers are taken.' })
    .first()
    .waitFor();
  await page.getByLabel('Rounded numbers').selectOption('Keep the exported value');
  await counts(page, '1 change, 1 conflict, 1 no change, 2 problems');
  await page.getByLabel('Texts that lost letters').selectOption('Take it from the file');
  await counts(page, '2 change, 1 conflict, 1 no change, 1 problem');
  await page.getByLabel('Texts that lost letters').selectOption('Keep the exported value');
  await counts(page, '1 change, 1 conflict, 2 no change, 1 problem');
  await page.getByRole('row').filter({ hasText: 'Bid isn’t a number: “cheap”' }).first().waitFor();
  await addToDrafts(page).click();
  await page.getByText('Added to the drafts: Import 2 campaigns from a file.').waitFor();

  await page.getByRole('link', { name: 'Review drafts' }).click();
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByRole('button', { name: 'Keep mine: Bid' }).click();
  const review = page.getByRole('button', { name: 'Review 2 campaigns' });
  await approveAll(await app.confirmationFrom(review));
  // Six of the presses decide about doubtful cells.
  expect(await presses()).toBe(17);
  expect((await second.read(changed ?? 0))['payout']).toBe(0.0777);
  expect((await second.read(conflicting ?? 0))['payout']).toBe(0.0666);
});

test('axe finds no fault in the bulk form, a select looks like an input, and an addition can be undone', async () => {
  const { app, second } = await startSession({ demoCampaigns: 40 });
  const { page } = app;
  await app.until('first row');
  await changeFirst(app, 6);
  const textOf = (control: Locator): Promise<{ left: number; appearance: string; arrow: boolean }> =>
    control.evaluate((element) => {
      const { paddingLeft, appearance } = getComputedStyle(element);
      const left = element.getBoundingClientRect().left + Number.parseFloat(paddingLeft);
      return { left, appearance, arrow: element.nextElementSibling?.tagName === 'svg' };
    });
  await app.chooseChange('Set a field');
  const field = page.getByRole('combobox', { name: 'Field' });
  const select = await textOf(field);
  expect(select).toMatchObject({ appearance: 'none', arrow: true });
  expect(select.left).toBe((await textOf(page.getByLabel('Title', { exact: true }))).left);
  // A click on the arrow must reach the select.
  const box = await field.boundingBox();
  const under = await page.evaluate(
    ([x = 0, y = 0]) => document.elementFromPoint(x, y)?.tagName,
    [(box?.x ?? 0) + (box?.width ?? 0) - 6, (box?.y ?? 0) + 14],
  );
  expect(under).toBe('SELECT');

  const faults: string[] = [];
  const look = async (part: string): Promise<void> => {
    // Rows that are being recomputed are grey.
    await page.locator('[role="grid"][aria-busy="true"]').waitFor({ state: 'detached' });
    faults.push(...(await axeFaults(page)).map((fault) => `${part}: ${fault}`));
  };
  const kinds = page.getByRole('group', { name: 'Change', exact: true }).getByRole('radio');
  for (const kind of await kinds.all()) {
    await kind.click({ force: true });
    await look((await kind.getAttribute('aria-label')) ?? '');
  }
  await app.chooseChange('Start and end');
  await page.getByRole('button', { name: 'Choose last day' }).click();
  await page.getByRole('dialog').getByText('24', { exact: true }).click();
  await expect.poll(() => page.getByLabel('Last day', { exact: true }).inputValue()).toMatch(/-24$/u);
  await app.chooseChange('Targeting, filters and keywords');
  await page.getByLabel('Paste entries').fill('Nowhere; DE');
  await page.getByText('1 entry can’t be used.').waitFor();
  await look('wrong entries');
  const file = page.locator('input[type=file]');
  const [cid = 0] = await second.cids({ perPage: 1 });
  const refused = Buffer.from(`cid;Total, or none (t_revenue)\r\n${cid};0\r\n`);
  await file.setInputFiles({ name: 'refused.csv', mimeType: 'text/csv', buffer: refused });
  await page.getByText('This file cannot be read as a table of campaigns.').waitFor();
  await page.getByRole('region', { name: 'File that could not be read' }).getByLabel('Separator').waitFor();
  await look('refused file');
  await page.getByRole('button', { name: 'Export CSV…' }).click();
  await look('export');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d+ columns/u }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  lines[1] = `,${lines[1]}`;
  const buffer = Buffer.from(lines.join('\r\n'));
  await file.setInputFiles({ name: 'edited.csv', mimeType: 'text/csv', buffer });
  await page.getByText('1 line skipped').waitFor();
  await look('file');
  await app.chooseChange('Bid');
  await page.getByLabel('Amount').fill('+10%');
  await counts(page, /^\d change/u);
  await look('amount');
  expect(faults).toEqual([]);

  await addToDrafts(page).click();
  await page.getByText(/^Added to the drafts: Bid \+10%/u).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await draftsOf(app)).length).toBe(0);
  expect(second.count('PUT', '/')).toBe(0);

  // After the action, the list has no selection that another action could reuse.
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await app.until('list at rest');
  expect(await page.getByText('6 selected').count()).toBe(0);
});
