import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { firstWith, openSection } from '../../driver/editor.ts';
import type { SecondClient } from '../../driver/second-client.ts';

const { startSession } = prepareBrowserSessions();

/** Returns active campaigns that exclude at least three publishers. */
async function withPublishers(second: SecondClient): Promise<{ cid: number; publishers: number[] }[]> {
  const cids = await second.cids({ status: 1, perPage: 100 });
  const campaigns = await Promise.all(cids.map((cid) => second.read(cid)));
  return campaigns
    .map((campaign, at) => ({
      cid: cids[at] ?? 0,
      publishers: campaign['publisher_blocklist'] as number[],
    }))
    .filter(({ publishers }) => publishers.length > 2);
}

test('the user restores a removed entry by typing it, and fills a list with the entries of another campaign', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [own, other] = await withPublishers(second);
  if (own === undefined || other === undefined) throw new Error('Too few campaigns');
  const region = await openSection(app, own.cid, 'filters');
  const list = region.getByRole('region', { name: 'Blocked publishers' });
  const entries = list.getByRole('list', { name: 'Entries of Blocked publishers' });
  const [first] = own.publishers;
  await entries.getByRole('button', { name: `Remove ${first}` }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();
  await list.getByLabel('Add to Blocked publishers').fill(String(own.publishers[1]));
  await list.getByText('This entry is in the list.').waitFor();
  await expect.poll(() => list.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await list.getByLabel('Add to Blocked publishers').fill(String(first));
  await page.keyboard.press('Enter');
  await region.getByText('1 change', { exact: true }).first().waitFor({ state: 'detached' });
  await expect.poll(() => app.ask('drafts.get', { cids: [own.cid] })).toMatchObject({ campaigns: [] });

  await list.getByRole('button', { name: 'Compare Blocked publishers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare Blocked publishers' });
  await dialog.getByLabel('Search another campaign by name or ID').fill(String(other.cid));
  await dialog.getByRole('button', { name: String(other.cid) }).click();
  const missing = other.publishers.filter((publisher) => !own.publishers.includes(publisher));
  await dialog.getByRole('heading', { name: `Only there: ${missing.length}` }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add these here' }).click();
  await dialog.getByRole('heading', { name: 'Only there: 0' }).waitFor();
  await page.keyboard.press('Escape');
  await list.getByText(`${own.publishers.length + missing.length} entries`).waitFor();
  await expect
    .poll(() => app.ask('drafts.get', { cids: [own.cid] }))
    .toMatchObject({
      campaigns: [
        { fields: { publisher_blocklist: { operations: [{ kind: 'addMembers', members: missing }] } } },
      ],
    });
});

test('the user edits drafts during an outage of the service and reviews them afterwards', async () => {
  const { app, second, faults } = await startSession();
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const panel = await app.open(cid);
  await panel.getByRole('button', { name: 'Close the campaign' }).click();
  const away = faults.arm({ kind: 'answer', status: 500, path: String(cid), lasts: true });

  await app.row(cid).getByRole('gridcell').nth(1).click();
  await panel.getByText('You can edit drafts; review them once the service is back.').waitFor();
  const bid = Number((Number(before['payout']) * 1.1).toFixed(4));
  await app.edit(cid, 'Bid', String(bid));
  await panel.getByText('1 change', { exact: true }).last().waitFor();
  await expect
    .poll(() => app.ask('drafts.get', { cids: [cid] }))
    .toMatchObject({
      campaigns: [{ fields: { payout: { operations: [{ kind: 'set', value: bid }] } } }],
    });
  await expect.poll(() => panel.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  const alerts = await panel.getByRole('alert').count();
  const asked: string[] = [];
  app.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await panel.getByLabel('Bid', { exact: true }).press('Control+Enter');
  // The request is sent after the key, so its answer proves that the key was handled.
  await app.ask('drafts.get', { cids: [cid] });
  expect(asked).not.toContain('/api/drafts.propose');
  await expect.poll(() => panel.getByRole('alert').count()).toBe(alerts);
  expect(second.count('PUT', String(cid))).toBe(0);

  away();
  await panel.getByRole('button', { name: 'Try again' }).click();
  await panel.getByText(/review them once/).waitFor({ state: 'detached' });
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await second.read(cid)).toEqual({ ...before, payout: bid });
});

/** Returns the box of the ad in a preview, as fractions of the screen on which it is drawn. */
async function adIn(page: Page, preview: string) {
  const figure = page.getByRole('figure', { name: preview });
  const [screen, ad] = await Promise.all([
    figure.locator('> div').boundingBox(),
    figure.getByRole('group', { name: 'Ad' }).boundingBox(),
  ]);
  if (screen === null || ad === null) throw new Error(`No preview: ${preview}`);
  return {
    left: (ad.x - screen.x) / screen.width,
    top: (ad.y - screen.y) / screen.height,
    width: ad.width / screen.width,
    pictures: await figure.getByRole('group', { name: 'Ad' }).locator('img').count(),
  };
}

test('the editor shows each kind of ad as phones and desktops do', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, ({ icon }) => icon !== null);
  await openSection(app, cid, 'creative');
  for (const name of [/^Icon, stored at/, /^Main image, stored at/])
    await page.getByRole('img', { name }).waitFor();
  const push = await adIn(page, 'Push notification, phone');
  const inPage = await adIn(page, 'In-page push, phone');
  const contextual = await adIn(page, 'Contextual ad, phone');
  // On the phone: full-width cards below the clock and above the lower edge, and a search result without a picture.
  expect(push).toMatchObject({ pictures: 2 });
  expect(push.width).toBeGreaterThan(0.8);
  expect(inPage).toMatchObject({ pictures: 1 });
  expect(inPage.top).toBeGreaterThan(0.6);
  expect(inPage.width).toBeGreaterThan(0.8);
  expect(contextual).toMatchObject({ pictures: 0 });
  expect(contextual.width).toBeGreaterThan(0.8);

  await page.getByRole('button', { name: 'Desktop', exact: true }).click();
  const onDesktop = {
    push: await adIn(page, 'Push notification, desktop'),
    inPage: await adIn(page, 'In-page push, desktop'),
    contextual: await adIn(page, 'Contextual ad, desktop'),
  };
  // On the desktop: the corners on the right, and the column of search results.
  expect(onDesktop.push.left).toBeGreaterThan(0.2);
  expect(onDesktop.push.left + onDesktop.push.width).toBeGreaterThan(0.9);
  expect(onDesktop.inPage.top).toBeLessThan(0.4);
  expect(onDesktop.inPage.left).toBeGreaterThan(0.3);
  expect(onDesktop.contextual.width).toBeLessThan(0.75);
  expect(onDesktop.contextual.left).toBeLessThan(0.1);
  expect(await page.getByRole('figure', { name: /, phone$/ }).count()).toBe(0);
});

test('pasting several lines into a single-line field opens the list of entries to add', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { publisher_blocklist: [11, 12], geo_enabled: 0, geo: ['DE'] });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const paste = async (into: Locator, text: string): Promise<void> => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await into.press('ControlOrMeta+v');
  };
  const dialog = page.getByRole('dialog', { name: /^Paste into/ });

  const filters = await openSection(app, cid, 'filters');
  const list = filters.locator('[data-fields="publisher_blocklist"]');
  const input = list.getByPlaceholder('Add an entry');
  await paste(input, '77');
  await expect.poll(() => input.inputValue()).toBe('77');
  await input.fill('');
  await paste(input, '11\n13\n14\n');
  await dialog.getByText('2 to add').waitFor();
  await dialog.getByText('1 already there').waitFor();
  await expect.poll(() => input.inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Add 2 entries' }).click();
  await list.getByText('4 entries').waitFor();
  await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true);

  await openSection(app, cid, 'targeting');
  await paste(page.getByLabel('Search countries'), 'DE\r\nAT\r\nCH');
  await dialog.getByText('2 to add').waitFor();
});

test('the user resolves a conflict of pictures in the editor, which shows both pictures', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ status: 1, perPage: 100 });
  const campaigns = await Promise.all(cids.map((cid) => second.read(cid)));
  const [own, two, three] = campaigns.filter(({ icon }) => icon !== null);
  const cid = Number(own?.['cid']);
  const draft = { from: own?.['icon'], operations: [{ kind: 'set', value: two?.['icon'] }] };
  await app.ask('drafts.change', { title: 'Icon', changes: [{ cid, field: 'icon', draft }] });
  const region = await openSection(app, cid, 'creative');
  await region.getByText(/was another picture/).waitFor();
  await region.getByRole('button', { name: 'Undo the change of Icon' }).click();
  await region.getByText(/was another picture/).waitFor({ state: 'detached' });
  await region.getByRole('button', { name: /^Undo: Icon/ }).click();
  await region.getByText(/was another picture/).waitFor();

  await second.change(cid, { icon: three?.['icon'] ?? null });
  await page.reload();
  const conflict = region.getByRole('group', { name: 'Conflict: Icon' });
  const drawn = conflict.getByRole('img', { name: 'Icon, theirs' });
  expect(
    await drawn.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(192);
  // The drafted picture is not a picture of this campaign yet, so it is loaded only when a person asks.
  await conflict.getByText('Not loaded').first().waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await conflict.getByRole('button', { name: 'Take theirs: Icon' }).click();
  await conflict.waitFor({ state: 'detached' });
  await expect.poll(() => app.ask('drafts.get', { cids: [cid] })).toMatchObject({ campaigns: [] });
});

test('the drafts page shows values before and after with one revert for each campaign, saves them as CSV, and selects only listed drafts', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [fine = 0, warned = 0, wrong = 0] = await second.cids({ status: 1, perPage: 3 });
  const draft = async (cid: number, change: Record<string, unknown>): Promise<void> => {
    const campaign = await second.read(cid);
    const changes = Object.entries(change).map(([field, value]) => {
      return { cid, field, draft: { from: campaign[field], operations: [{ kind: 'set', value }] } };
    });
    await app.ask('drafts.change', { title: 'A change', changes });
  };
  const bid = Number((await second.read(warned))['payout']);
  await draft(fine, { name: 'A fine name' });
  await draft(warned, { payout: Number((bid * 2.5).toFixed(4)), name: 'A warned name' });
  await draft(wrong, { payout: 99 });
  await page.evaluate(() => (location.hash = '#/drafts'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('Checked: 1 campaign ready, 1 with warnings, 1 with errors').waitFor();
  const listed = page.getByRole('table', { name: 'Drafted campaigns' });
  await expect
    .poll(() => listed.getByRole('columnheader').allInnerTexts())
    .toEqual(['Field', 'Before', 'After']);
  const change = listed.getByRole('row').filter({ hasText: '2.5 times the current one' });
  await expect.poll(() => change.innerText()).toMatch(/^\s*Bid\s+\$[\d.]+\s+\$[\d.]+/u);
  await expect.poll(() => listed.getByRole('button', { name: /^Revert/ }).count()).toBe(3);
  await page.getByText('Problems only').click();
  await listed.getByText(`ID ${fine}`).waitFor({ state: 'detached' });
  await expect.poll(() => listed.getByText(/^ID /).count()).toBe(2);
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('button', { name: `Revert the drafts of campaign ${warned}` }).click();
  await expect.poll(() => app.ask('drafts.get', { cids: [warned] })).toMatchObject({ campaigns: [] });
  const checked = page.getByText('Checked: 1 campaign ready, 1 with warnings, 1 with errors');
  await checked.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect
    .poll(() => app.ask('drafts.get', { cids: [warned] }))
    .toMatchObject({ campaigns: [{ cid: warned }] });
  await page.getByRole('button', { name: 'Check all' }).click();
  await checked.waitFor();
  await page.getByLabel('Select all').click();
  await page.getByRole('button', { name: 'Revert 2 campaigns', exact: true }).click();
  await page.getByText('1 campaign · 1 change').waitFor();
  await expect
    .poll(() => app.ask('drafts.get', { cids: [fine, warned, wrong] }))
    .toMatchObject({
      campaigns: [{ cid: fine }],
    });

  await page.getByRole('button', { name: 'Export CSV…' }).click();
  const choice = page.getByRole('dialog', { name: 'Export 1 campaign' });
  const download = page.waitForEvent('download');
  await choice.getByRole('button', { name: /^Export \d+ columns/ }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toMatch(new RegExp(`\\n${fine},[^\\n]*,Active,`, 'u'));
});
