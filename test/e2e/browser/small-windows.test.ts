import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { admitAgent } from '../driver/agents.ts';
import { hostileNames } from '../driver/hostile.ts';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

/** The CSS size of a window of 1280 × 800 at 200 % zoom. */
const zoomed = { width: 640, height: 400 };

/** Returns true if a clipping container cuts off a text inside the element. */
const isCut = (place: Locator): Promise<boolean> =>
  place.evaluate((root) =>
    [root, ...root.querySelectorAll('*')].some((element) => {
      const { overflowX } = getComputedStyle(element);
      return overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    }),
  );

test('at 200 % zoom every section of the rail is visible, even with counts, and the search field has room for a name', async () => {
  const { app, second } = await startSession({ viewport: zoomed, demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  // Also with a count and a button that clears the search.
  await app.search('push');
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  const { width: searchWidth = 0 } = (await page.getByLabel('Search campaigns').boundingBox()) ?? {};
  expect(searchWidth).toBeGreaterThan(100);
  await app.search('');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const draft = { from: null, operations: [{ kind: 'set', value: 'Drafted' }] };
  await app.ask('drafts.change', { title: 'Draft', changes: [{ cid, field: 'name', draft }] });
  await app.ask('agents.freeze', {});
  const rail = page.getByRole('navigation', { name: 'Sections' });
  await rail.getByLabel('frozen', { exact: true }).waitFor();
  await rail.getByLabel('1 drafted').waitFor();
  const isScrolled = await rail.evaluate((rail) => rail.scrollHeight > rail.clientHeight);
  expect(isScrolled).toBe(false);
  const frozen = await rail.getByLabel('frozen', { exact: true }).boundingBox();
  const { width = 0 } = (await rail.boundingBox()) ?? {};
  expect(frozen?.x).toBeGreaterThan(0);
  expect((frozen?.x ?? 0) + (frozen?.width ?? 0)).toBeLessThan(width);
  const { bottom } = await rail
    .getByRole('link')
    .last()
    .evaluate((link) => link.getBoundingClientRect().toJSON());
  expect(bottom).toBeLessThanOrEqual(zoomed.height);
});

test('at 200 % zoom the profile’s full name and the ledger’s rows are visible, and proposals show the list or the chosen proposal', async () => {
  const { app, second } = await startSession({ viewport: zoomed });
  const { page } = app;
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  await app.until('first row');
  const chip = page.getByRole('banner').getByRole('button', { name: /Demo · Northwind Media/ });
  expect(await isCut(chip)).toBe(false);
  await page.getByRole('button', { name: 'Search or run a command' }).click();
  await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
  await page.keyboard.press('Escape');
  await app.goTo('Agents');
  await page.getByRole('button', { name: 'Freeze agents only' }).click();
  await page.getByRole('button', { name: 'Let agents work again' }).first().waitFor();
  expect(await isCut(chip)).toBe(false);

  await app.propose(cid, { field: 'name', from: String(name), to: `Renamed ${cid}` });
  await app.goTo('Ledger');
  const row = page.getByRole('article').first();
  await row.waitFor();
  const seen = await row.evaluate((row) => {
    const { left, top, height } = row.getBoundingClientRect();
    return row.contains(document.elementFromPoint(left + 24, top + height - 4));
  });
  expect(seen).toBe(true);
  // The sentence is readable and not broken into one letter per line.
  expect((await row.boundingBox())?.height).toBeLessThan(140);

  await app.goTo('Proposals');
  const link = page.getByRole('link', { name: /^Rename/ });
  await link.click();
  await page.getByRole('region', { name: 'What changes' }).waitFor();
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'All proposals' }).click();
  await link.waitFor();
});

test('at 150 % zoom a section of the editor starts inside the window, the selection bar has two lines at most, and the bulk form ends above its rows', async () => {
  const { app } = await startSession({ viewport: { width: 853, height: 533 } });
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(1);
  const top = async (label: string): Promise<number> => {
    const field = app.panel(cid).getByLabel(label, { exact: true });
    await field.waitFor();
    return (await field.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
  };
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/schedule`);
  await expect.poll(() => top('Schedule time zone')).toBeLessThan(300);
  await app.panel(cid).getByRole('heading', { name: 'The next seven days' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Section: Weekly schedule' }).click();
  await page.getByRole('menuitemradio', { name: 'Identity' }).click();
  await expect.poll(() => top('Name')).toBeLessThan(300);
  await page.getByRole('button', { name: 'Section: Identity' }).and(page.locator(':focus')).waitFor();

  await page.evaluate(() => (location.hash = '#/campaigns'));
  await app.until('first row');
  await app
    .row(await app.cidInRow(1))
    .getByRole('gridcell')
    .nth(2)
    .click();
  await page.getByRole('button', { name: 'Close the campaign' }).waitFor();
  await app.selectFirst(3);
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  expect((await bar.boundingBox())?.height).toBeLessThan(72);
  await bar.getByRole('button', { name: 'Status of the selected campaigns' }).click();
  const remove = page.getByRole('menuitem', { name: 'Remove…' });
  const confirmation = await app.confirmationFrom(remove);
  expect(await confirmation.title()).toMatch(/^Suspend/);
  await confirmation.close();

  await app.selectFirst(3);
  await page.getByRole('button', { name: 'Change…' }).click();
  await page.getByLabel('Amount').fill('+10%');
  await page.getByRole('row').nth(1).waitFor();
  const isAbove = async (): Promise<boolean> => {
    const { y: lastField = 0, height = 0 } = (await page.getByLabel('At most').boundingBox()) ?? {};
    const results = await page.getByRole('region', { name: 'Preview' }).boundingBox();
    return (results?.y ?? 0) > lastField + height;
  };
  await expect.poll(isAbove).toBe(true);
});

test('at 150 % zoom the longest name leaves room for the fields of its panel and takes one line in the list', async () => {
  const { app, second } = await startSession({ viewport: { width: 853, height: 533 } });
  const { page } = app;
  const [cid = 0] = await second.cids({ perPage: 1 });
  await second.change(cid, { name: hostileNames['a very long word'] });
  await app.until('first row');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const text = app.row(cid).getByText('WWWW').first();
  await text.waitFor();
  expect((await text.boundingBox())?.height).toBeLessThan(24);
  await app.row(cid).getByRole('gridcell').nth(1).click();
  const field = app.panel(cid).getByLabel('Name', { exact: true });
  await field.waitFor();
  expect((await field.boundingBox())?.y).toBeLessThan(260);
});

test('in a window of 900 points no count in the rail is cut off, and the Agents page starts with pending and admitted agents', async () => {
  const { app, second } = await startSession({ viewport: { width: 900, height: 800 } });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Agents');
  await page.getByText('None. An agent, such as Claude Code').waitFor();
  const address = page.getByText('/mcp', { exact: false });
  expect(await address.first().isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Connect an agent' }).click();
  await address.first().waitFor();

  const agent = await admitAgent(app, { name: 'Claude Code' });
  for (const cid of await second.cids({ status: 1, perPage: 2 })) {
    const { name } = await second.read(cid);
    await app.propose(cid, { field: 'name', from: String(name), to: `Renamed ${cid}` });
  }
  const rail = page.getByRole('navigation', { name: 'Sections' });
  const counts = [
    rail.getByRole('link', { name: /Proposals/ }).getByText('2'),
    rail.getByRole('link', { name: /Agents/ }).getByText('1'),
  ];
  const { width } = (await rail.boundingBox()) ?? { width: 0 };
  for (const count of counts) {
    await count.waitFor();
    const box = await count.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
    const seen = await count.evaluate((count) => {
      const { left, right, top, height } = count.getBoundingClientRect();
      return [left + 1, right - 1].every((x) => {
        const found = document.elementFromPoint(x, top + height / 2);
        return found !== null && (count.contains(found) || found.contains(count));
      });
    });
    expect(seen).toBe(true);
  }

  await page.getByText('2 changes await your approval').waitFor();
  const titles = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect
    .poll(() => titles.allInnerTexts())
    .toEqual([
      'Agents with access',
      'Sample agent',
      'Guardrails',
      'Refused attempts',
      'Emergency stop',
      'Connect an agent',
      'Tools',
    ]);
  expect(await page.getByRole('list', { name: 'Tools' }).isVisible()).toBe(false);
  await page.getByRole('heading', { name: 'Tools' }).click();
  await page.getByRole('list', { name: 'Tools' }).waitFor();
  await agent.vanish();
});

test('the net effect of agents scrolls at the edge of the page', async () => {
  const { app } = await startSession({ viewport: { width: 1680, height: 1050 } });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Ledger');
  await page.getByRole('button', { name: 'Net effect of agents' }).click();
  const scroller = page.getByRole('main').locator('div', { has: page.getByText('Since (UTC)') });
  const right = (): Promise<number> =>
    scroller.evaluateAll((places) => {
      const place = places.findLast((one) => getComputedStyle(one).overflowY === 'auto');
      return place ? Math.round(place.getBoundingClientRect().right) : 0;
    });
  await expect.poll(right).toBe(1680);
});
