import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { firstWith, openSection } from '../../driver/editor.ts';
import { countPresses } from '../../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

const expectFocus = (target: Locator): Promise<void> =>
  expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);

test('a field that someone else changed shows both values and the original, and the user keeps one of the two', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const panel = await app.open(cid);
  await app.edit(cid, 'Bid', '0.2');
  await app.edit(cid, 'Name', 'My name');
  await panel.getByText('2 changes', { exact: true }).last().waitFor();
  await second.change(cid, { payout: 0.15, name: 'Their name' });
  await app.page.keyboard.press('Escape');
  await app.open(cid);

  const conflict = panel.getByRole('group', { name: 'Conflict: Bid' });
  await conflict.getByText('$0.200').waitFor();
  await conflict.getByText('$0.150').waitFor();
  await expect.poll(() => conflict.innerText()).toContain(String(Number(before['payout'])));
  await expect.poll(() => panel.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: 'Take theirs: Name' }).click();
  await panel.getByRole('group', { name: 'Conflict: Name' }).waitFor({ state: 'detached' });
  await expect.poll(() => panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Their name');
  await panel.getByRole('button', { name: 'Keep mine: Bid' }).click();
  await conflict.waitFor({ state: 'detached' });
  await panel.getByText('1 change', { exact: true }).last().waitFor();

  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await second.read(cid)).toEqual({ ...before, payout: 0.2, name: 'Their name' });
});

test('the user excludes forty publishers by one paste with three presses and an approval, and invalid entries are reported', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, ({ publisher_blocklist: list }) => (list as unknown[]).length > 2);
  const { publisher_blocklist: stored } = await second.read(cid);
  const [known = 0] = stored as number[];
  const region = await openSection(app, cid, 'filters');
  const added = Array.from({ length: 40 }, (_, index) => 70_001 + index);
  await region.getByRole('button', { name: 'Compare Blocked publishers' }).click();
  await page.getByRole('dialog', { name: 'Compare Blocked publishers' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const presses = await countPresses(page);
  await region.getByRole('button', { name: 'Paste into Blocked publishers' }).click();
  await page
    .getByRole('dialog')
    .getByLabel('Entries')
    .fill(
      `${added.slice(0, 20).join('\n')}\n${added.slice(20).join('; ')}, ${known}, ${added[0]}, publisher?`,
    );
  await page.getByText('40 to add').waitFor();
  await page.getByText('1 already there').waitFor();
  await page.getByText('1 skipped').waitFor();
  await page.getByRole('button', { name: 'Add 40 entries' }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();

  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await presses()).toBe(3);
  expect((await second.read(cid))['publisher_blocklist']).toEqual([...(stored as number[]), ...added]);
});

test('the editor asks about an ambiguous amount, removes the draft of an unreadable amount, and moves the focus from a button that disappears', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { d_revenue, payout } = await second.read(cid);
  const panel = await app.open(cid);
  await page.getByRole('button', { name: 'Clear search' }).press('Enter');
  await expectFocus(page.getByLabel('Search campaigns'));

  const budget = panel.getByLabel('Daily budget', { exact: true });
  await app.edit(cid, 'Daily budget', '1,234');
  await panel.getByText('This can be read in two ways. Choose one.').waitFor();
  await expect.poll(() => panel.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: '1234', exact: true }).press('Enter');
  await expect.poll(() => budget.inputValue()).toBe('1234');
  await expectFocus(budget);
  await panel.getByText('1 change', { exact: true }).last().waitFor();
  await panel.getByRole('button', { name: /^Undo: Daily budget of “/ }).click();
  await expect.poll(() => budget.inputValue()).toBe(String(d_revenue));
  await panel.getByRole('button', { name: /^Redo: Daily budget of “/ }).click();
  await expect.poll(() => budget.inputValue()).toBe('1234');
  await page.reload();
  await expect.poll(() => budget.inputValue()).toBe('1234');
  await panel.getByRole('button', { name: 'Undo the change of Daily budget' }).press('Enter');
  await expectFocus(budget);

  const bid = panel.getByLabel('Bid', { exact: true });
  const risk = panel.getByRole('group', { name: 'Money at risk' });
  const drafts = (): Promise<unknown> => app.ask('drafts.get', { cids: [cid] });
  await app.edit(cid, 'Bid', '0.4');
  await risk.getByText(/^×/u).waitFor();
  await expect.poll(drafts).toMatchObject({ campaigns: [{ fields: { payout: {} } }] });
  await app.edit(cid, 'Bid', 'abc');
  await panel.getByRole('button', { name: '1 field needs attention' }).waitFor();
  await risk.getByRole('img', { name: 'not known yet' }).waitFor();
  expect(await risk.getByText(/^×/u).count()).toBe(0);
  await expect.poll(drafts).toMatchObject({ campaigns: [] });
  await panel.getByRole('button', { name: /^Undo: Bid of “/ }).click();
  await expect.poll(() => bid.inputValue()).toBe('0.4');
  await risk.getByText(/^×/u).waitFor();
  await panel.getByRole('button', { name: 'Discard' }).press('Enter');
  await expectFocus(panel.getByRole('heading', { level: 2 }).first());

  await app.edit(cid, 'Bid', '');
  await expect.poll(drafts).toMatchObject({ campaigns: [] });
  await page.reload();
  await expect.poll(() => bid.inputValue()).toBe(String(payout));
});

test('the editor claims nothing about the next seven days if the time zone or the flight is unreadable, and an undo leaves the focus on the hours', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const cid = await firstWith(
    second,
    ({ enable_shedule: schedule, enable_time: flight }) => schedule === 1 && flight === 1,
  );
  const region = await openSection(app, cid, 'schedule');
  const week = region.getByRole('region', { name: 'The next seven days' });
  await week.getByText('Runs now').waitFor();
  await app.edit(cid, 'Schedule time zone', 'Mars/Phobos');
  await week.getByText('Not known until the time zone is valid.').waitFor();
  await expect.poll(() => week.innerText()).not.toMatch(/Runs now|168|Yes/u);
  await app.edit(cid, 'Schedule time zone', 'Europe/Lisbon');
  await week.getByText('Runs now').waitFor();

  await openSection(app, cid, 'budget');
  await app.edit(cid, 'Start date', '2025-02-31');
  await openSection(app, cid, 'schedule');
  await week.getByText('Not known until start and end are valid.').waitFor();

  await region.getByRole('button', { name: 'Invert' }).click();
  await region.getByRole('button', { name: 'Undo the change of Scheduled hours' }).press('Enter');
  await expectFocus(region.getByRole('gridcell').first());
});

test('a new parameter appears in the URL once it has a name, its row has the focus, and the URL has no ligatures', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, ({ clickurl }) => String(clickurl).startsWith('https://'));
  const { clickurl: stored } = await second.read(cid);
  const region = await openSection(app, cid, 'identity');
  const shown = region.getByText('https://').first();
  const before = await shown.screenshot();
  await shown.evaluate((text) => (text.style.fontFeatureSettings = "'calt' 0"));
  expect(before.equals(await shown.screenshot())).toBe(true);

  const address = region.getByLabel('Click URL', { exact: true });
  const names = region.getByLabel(/^Name of parameter/u);
  const count = await names.count();
  await region.getByRole('button', { name: 'Add parameter' }).click();
  await expect.poll(() => address.inputValue()).toBe(stored);
  await names.nth(count).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('2nd');
  await page.keyboard.press('Tab');
  await page.keyboard.type('x y');
  await expect.poll(() => address.inputValue()).toBe(`${String(stored)}${count === 0 ? '?' : '&'}2nd=x%20y`);
  await region.getByRole('button', { name: 'Remove parameter 2nd' }).click();
  await expect.poll(() => address.inputValue()).toBe(stored);
  await region.getByRole('button', { name: 'Add parameter' }).and(page.locator(':focus')).waitFor();
});

test('axe finds no accessibility fault in any section of the editor', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(
    second,
    ({ bidControl, enable_shedule: isOn, icon }) =>
      (bidControl as unknown[]).length > 0 && isOn === 1 && icon !== null,
  );
  const pictures = Promise.withResolvers<void>();
  await page.route('**/api/pictures.load', async (route) => {
    await pictures.promise;
    await route.continue();
  });
  await app.open(cid);
  await app.edit(cid, 'Bid', '0.2');
  await app.edit(cid, 'Name', 'Edited');
  const found: Record<string, string[]> = {};
  const sections = ['identity', 'creative', 'budget', 'schedule', 'targeting', 'filters', 'bids', 'pacing'];
  for (const section of [...sections, 'other']) {
    await openSection(app, cid, section);
    if (section === 'creative') {
      const loading = page.getByRole('button', { name: 'Loading picture…' });
      await loading.first().waitFor();
      found['loading'] = await axeFaults(page);
      pictures.resolve();
      await expect.poll(() => loading.count()).toBe(0);
    }
    found[section] = await axeFaults(page);
  }
  await openSection(app, cid, 'filters');
  await page.getByRole('button', { name: 'Paste into Blocked publishers' }).click();
  await page.getByRole('dialog').getByLabel('Entries').fill('1,204\t2\nx\t5');
  await page.getByRole('radio', { name: /^Column 1/u }).check({ force: true });
  await page.getByRole('radio', { name: 'One entry' }).check({ force: true });
  await page.getByRole('button', { name: 'Add 1 entry' }).waitFor();
  await page.getByText('1 entry can’t be used.').waitFor();
  found['paste'] = await axeFaults(page);
  await page.keyboard.press('Escape');
  await second.change(cid, { payout: 0.3 });
  await page.evaluate(() => (location.hash = '#/drafts'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('Checked: 1 campaign with conflicts').waitFor();
  found['drafts'] = await axeFaults(page);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
});
