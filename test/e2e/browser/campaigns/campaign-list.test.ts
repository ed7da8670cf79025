import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { prepareSessions } from '../../driver/session.ts';

const { startSession } = prepareSessions();

const box = async (place: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> => {
  const found = await place.boundingBox();
  if (!found) throw new Error('It is not drawn');
  const { x, y, width, height } = found;
  return { left: x, right: x + width, top: y, bottom: y + height };
};

const header = (page: Page, title: string): Locator =>
  page.getByRole('columnheader', { name: title, exact: true });

const widthOf = async (page: Page, title: string): Promise<number> => {
  const { left, right } = await box(header(page, title));
  return Math.round(right - left);
};

const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

test('↓ leads from the search field to the list and Enter opens the first result, however fast the user types', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  const field = page.getByLabel('Search campaigns');

  await field.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('grid').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('row-1');

  await page.keyboard.press('/');
  await page.keyboard.type(String(cid));
  await page.keyboard.press('Enter');
  await app.panel(cid).getByLabel('Name', { exact: true }).waitFor();
  await page.getByRole('grid').and(page.locator(':focus')).waitFor();

  // The previous result is still drawn when Enter is pressed, and must not be opened.
  await page.keyboard.press('/');
  await page.keyboard.type(String(other));
  await page.keyboard.press('Enter');
  await app.panel(other).getByLabel('Name', { exact: true }).waitFor();
  await page.getByRole('grid').and(page.locator(':focus')).waitFor();

  // With no results, the keys must work for the list again.
  await page.keyboard.press('/');
  await page.keyboard.type('no campaign has this name');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.keyboard.type('!');
  await expect.poll(() => field.inputValue()).toBe('no campaign has this name!');
});

test('a search or filter that excludes the open campaign closes its panel and keeps its drafts, and a campaign that stops matching stays open', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [cid = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  await app.open(cid);
  await app.edit(cid, 'Name', 'Typed and not proposed');
  await app.search(String(other));
  await app.panel(cid).waitFor({ state: 'detached' });
  await expect.poll(() => hash(page)).toBe(`#/campaigns?find=${other}`);
  await app.open(cid);
  await expect
    .poll(() => app.panel(cid).getByLabel('Name', { exact: true }).inputValue())
    .toBe('Typed and not proposed');

  // 400 campaigns are more than a page, so the page's own rows do not contain all of them.
  await app.search('');
  await page.getByText('400 campaigns', { exact: true }).waitFor();
  await expect.poll(() => app.panel(cid).count()).toBe(1);
  await app.filterStatus('Suspended');
  await app.panel(cid).waitFor({ state: 'detached' });

  await app.filterStatus('Active');
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}`);
  await app.panel(cid).getByLabel('Name', { exact: true }).waitFor();
  await second.change(cid, { name: 'Changed by somebody else' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await app.until('list at rest');
  await expect.poll(() => app.panel(cid).count()).toBe(1);
});

test('the actions for selected campaigns cover no row, and the important columns need no scrolling', async () => {
  const { app } = await startSession({ viewport: { width: 640, height: 400 } });
  const { page } = app;
  for (const viewport of [
    { width: 640, height: 400 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.reload();
    await app.until('first row');
    const grid = page.getByRole('grid');
    const { bottom } = await box(grid);
    const lastInView = await page.evaluate((bottom) => {
      const rows = [...document.querySelectorAll<HTMLElement>('[role=row][aria-rowindex]')];
      const whole = rows.filter((row) => row.getBoundingClientRect().bottom <= bottom);
      return Math.max(...whole.map((row) => Number(row.ariaRowIndex)));
    }, bottom);
    const row = page.locator(`[role=row][aria-rowindex="${lastInView}"]`);
    await row.getByRole('checkbox').click({ force: true });
    const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
    await bar.waitFor();
    await expect.poll(async () => (await box(row)).bottom <= (await box(bar)).top).toBe(true);
    const seen = await row.evaluate((row) => {
      const { left, top, height } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(left + 8, top + height - 2));
    });
    expect(seen).toBe(true);
  }
  const grid = await box(page.getByRole('grid'));
  for (const title of ['ID', 'Name', 'Status', 'Type', 'Bid', 'Daily budget', 'Total budget', 'Countries']) {
    expect((await box(header(page, title))).right, title).toBeLessThanOrEqual(grid.right);
  }
  expect(await widthOf(page, 'Name')).toBeGreaterThan(320);
});

test('the user resizes columns by mouse and keyboard, and their widths survive a reload', async () => {
  const { app } = await startSession({ viewport: { width: 1280, height: 800 } });
  const { page } = app;
  await app.until('first row');
  const edge = (title: string): Locator => page.getByRole('separator', { name: `Width of ${title}` });
  const own = await widthOf(page, 'Name');

  const name = await edge('Name').boundingBox();
  if (!name) throw new Error('The edge is not drawn');
  const at = { x: name.x + name.width / 2, y: name.y + name.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 120, at.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => widthOf(page, 'Name')).toBe(own + 120);
  const cell = page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(2);
  expect(Math.round((await box(cell)).right - (await box(cell)).left)).toBe(own + 120);

  await edge('Status').focus();
  const status = await widthOf(page, 'Status');
  await page.keyboard.press('ArrowRight');
  expect(await widthOf(page, 'Status')).toBe(status + 16);
  await expect.poll(() => edge('Status').getAttribute('aria-valuenow')).toBe(String(status + 16));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await widthOf(page, 'Status')).toBe(status - 16);
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('row-0');
  await page.keyboard.press('ArrowUp');
  await edge('Name').and(page.locator(':focus')).waitFor();

  await page.reload();
  await app.until('first row');
  expect(await widthOf(page, 'Name')).toBe(own + 120);
  expect(await widthOf(page, 'Status')).toBe(status - 16);

  await edge('Name').dblclick();
  await edge('Status').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => widthOf(page, 'Name')).toBe(own);
  expect(await widthOf(page, 'Status')).toBe(status);
});

test('the user moves through proposals and opens and closes them with the keyboard', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [one = 0, two = 0] = await second.cids({ status: 1, perPage: 2 });
  for (const cid of [one, two]) {
    const { name } = await second.read(cid);
    await app.propose(cid, { field: 'name', from: String(name), to: `Renamed ${cid}` });
  }
  await app.until('first row');
  await app.waiting(2);
  const list = { which: 'waiting', before: null, limit: 2, order: 'risk' };
  const { items } = (await app.ask('proposals.list', list)) as { items: { id: string; title: string }[] };
  const [riskiest = '', other = ''] = items.map(({ id }) => id);
  const [, cid = ''] = /Renamed (\d+)/u.exec(items[0]?.title ?? '') ?? [];
  await page.keyboard.press('3');
  const detail = page.getByRole('region', { name: 'Proposal', exact: true });
  await detail.getByRole('heading', { name: new RegExp(cid, 'u') }).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => hash(page)).toBe(`#/proposals/${other}`);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => hash(page)).toBe(`#/proposals/${riskiest}`);
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => hash(page)).toBe(`#/proposals/${other}`);
  await page.keyboard.press('Enter');
  await detail.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => hash(page)).toBe('#/proposals');

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const does of ['Next proposal', 'Previous proposal', 'Open the proposal', 'Close the proposal']) {
    await help.getByText(does, { exact: true }).waitFor();
  }
});

test('the edges of scrolling columns stay below the fixed columns', async () => {
  const { app } = await startSession({ demoCampaigns: 12, viewport: { width: 900, height: 700 } });
  const { page } = app;
  await app.until('first row');
  const seen = await page.getByRole('grid').evaluate((grid) => {
    const frozen = grid.querySelector('[role=columnheader][aria-label=Name]');
    const { right: end = 0, top = 0 } = frozen?.getBoundingClientRect() ?? {};
    // At any scroll position, a click next to the last frozen edge must hit a frozen column.
    return Array.from({ length: 300 }, (_, at) => {
      grid.scrollLeft = at;
      const edges = [...grid.querySelectorAll('[role=separator]')].filter((edge) => {
        const { right } = edge.getBoundingClientRect();
        return right < end && right > (frozen?.getBoundingClientRect().left ?? 0);
      });
      return edges.filter((edge) => {
        const { left, width } = edge.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + 12) === edge && !frozen?.contains(edge);
      }).length;
    });
  });
  expect(Math.max(...seen)).toBe(0);
});
