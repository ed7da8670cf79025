import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import type { AppDriver } from '../driver/app.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { countPresses } from '../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

async function draftsOf(app: AppDriver): Promise<CampaignDraftView[]> {
  const { campaigns } = (await app.ask('drafts.get', { cids: null })) as { campaigns: CampaignDraftView[] };
  return campaigns;
}

/** Opens the page of a change of the first campaigns of the list. */
async function changeFirst(app: AppDriver, count: number): Promise<void> {
  await app.selectFirst(count);
  await app.page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await app.page.getByRole('heading', { name: `Change ${count} campaigns` }).waitFor();
}

const counts = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();

const addToDrafts = (page: Page): Locator => page.getByRole('button', { name: 'Add to drafts' });

test('six bids rise by ten percent with four presses and one field, and one undo takes it back', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const presses = await countPresses(page);
  await changeFirst(app, 6);
  await page.getByLabel('Amount').fill('+10%');
  await counts(page, '6 change, 0 no change, 0 problems');
  expect(await axeFaults(page)).toEqual([]);
  await addToDrafts(page).click();
  await page.getByText('Added to the drafts: Bid +10% in 6 campaigns.').waitFor();
  expect(await presses()).toBe(4);
  const drafts = await draftsOf(app);
  expect(drafts.map(({ fields }) => fields['payout']?.operations)).toEqual(
    Array.from({ length: 6 }, () => [{ kind: 'percent', percent: '10' }]),
  );
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await draftsOf(app)).length).toBe(0);
  expect(second.count('PUT', '/')).toBe(0);
});

test('a domain is replaced in twelve click URLs, typed once', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const cids = (await second.cids({ perPage: 12 })).slice(0, 12);
  for (const cid of cids) await second.change(cid, { clickurl: `https://old.example/go?c=${cid}` });
  await app.until('first row');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await changeFirst(app, 12);
  await page.getByLabel('Change', { exact: true }).selectOption('text');
  await page.getByLabel('Find', { exact: true }).fill('//old.example/');
  await page.getByLabel('Replace by').fill('//new.example/');
  await counts(page, '12 change, 0 no change, 0 problems');
  await addToDrafts(page).click();
  await page.getByText('in 12 campaigns.').waitFor();
  const drafts = await draftsOf(app);
  expect(drafts.map(({ cid }) => cid).toSorted()).toEqual(cids.toSorted());
  expect(new Set(drafts.flatMap(({ fields }) => Object.keys(fields)))).toEqual(new Set(['clickurl']));
});

test('weekdays 8–20 for three campaigns, and targeting of one pasted into them', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [source = 0] = await second.cids({ page: 3, perPage: 1 });
  await second.change(source, { geo_enabled: 0, geo: ['JP', 'KR'] });
  await app.until('first row');
  await changeFirst(app, 3);
  await page.getByLabel('Change', { exact: true }).selectOption('schedule');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await counts(page, /^3 change/u);
  await addToDrafts(page).click();
  await page.getByText('Added to the drafts: Run 60 hours a week in 3 campaigns.').waitFor();
  await page.getByLabel('Change', { exact: true }).selectOption('paste');
  await page.getByRole('textbox', { name: 'Copy from' }).fill(String(source));
  await page.getByRole('list', { name: 'Campaigns to copy from' }).getByRole('button').first().click();
  await counts(page, /change/u);
  expect(await axeFaults(page)).toEqual([]);
});

test('campaigns go to a spreadsheet and come back with three faults named by their lines', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  await changeFirst(app, 6);
  await page.getByRole('button', { name: 'Export CSV…' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d+ columns/u }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  const payoutAt = (lines[0] ?? '').split(',').findIndex((title) => title.includes('(payout)'));
  const edit = (line: number, at: number, cell: string): void => {
    // Names may hold separators, and are quoted then: the columns before the bid are ID, name and status.
    const cells = (lines[line - 1] ?? '').match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/gu) ?? [];
    cells[at] = `${cell},`;
    lines[line - 1] = cells.join('');
  };
  edit(2, payoutAt, '0.0777');
  edit(3, payoutAt, 'cheap');
  edit(4, 0, '99999999');
  edit(5, 0, 'none');
  await page.locator('input[type=file]').setInputFiles({
    name: 'edited.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });
  await page.getByRole('heading', { name: 'Change 5 campaigns' }).waitFor();
  await counts(page, '1 change, 2 no change, 1 problem');
  await page.getByText('2 lines are left out').waitFor();
  await page.getByText(/^Line 4: Campaign 99999999/u).waitFor();
  await page.getByText(/^Line 5: There is no campaign id/u).waitFor();
  await page.getByRole('button', { name: 'Problems only' }).click();
  await page
    .getByText(/Line 3: Bid is no number: cheap/u)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await addToDrafts(page).click();
  await page.getByText('Added to the drafts: Import 1 campaign from a file.').waitFor();
  expect((await draftsOf(app)).map(({ fields }) => fields['payout']?.operations)).toEqual([
    [{ kind: 'set', value: 0.0777 }],
  ]);
});
