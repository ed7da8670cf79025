import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { countPresses } from '../../driver/presses.ts';
import type { SecondClient } from '../../driver/second-client.ts';

const { startSession } = prepareBrowserSessions();

/** Presses Tab until a control has the focus, as a person without a pointer does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = target.and(page.locator(':focus'));
  for (let count = 0; count < 120; count += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it');
}

/** Opens a section of a campaign on its own page. */
async function openSection({ page }: AppDriver, cid: number, section: string): Promise<Locator> {
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/${section}`);
  const region = page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  await region.getByRole('heading', { level: 2 }).first().waitFor();
  return region;
}

/** The first active campaigns whose list holds something, or is empty. */
async function firstWith(second: SecondClient, fits: (campaign: object) => boolean): Promise<number> {
  for (const cid of await second.cids({ status: 1, perPage: 100 })) {
    if (fits(await second.read(cid))) return cid;
  }
  throw new Error('No such campaign');
}

test('bid and schedule are changed, checked and reviewed with the keyboard alone', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(
    second,
    (campaign) => (campaign as { enable_shedule: number }).enable_shedule === 0,
  );
  const before = await second.read(cid);

  await page.keyboard.press('/');
  await page.keyboard.type(String(cid));
  await page.getByText('1 of 400 campaigns').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  const panel = app.panel(cid);
  await panel.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await tabTo(page, panel.getByLabel('Bid', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('+10%');
  await panel.getByText('1 change', { exact: true }).last().waitFor();

  await tabTo(page, panel.getByRole('link', { name: /^Weekly schedule/ }));
  await page.keyboard.press('Enter');
  const grid = panel.getByRole('grid', { name: 'Scheduled hours' });
  await grid.waitFor();
  await tabTo(page, panel.getByRole('button', { name: 'Weekdays 8–20' }));
  await page.keyboard.press('Enter');
  await panel.getByText('60 of 168 hours on.').waitFor();
  await tabTo(page, grid.getByRole('gridcell', { name: /^Monday 00:00/ }));
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Space');
  await panel.getByText('64 of 168 hours on.').waitFor();
  await expect.poll(() => panel.getByText('3 changes').count()).toBeGreaterThan(0);

  await tabTo(page, page.getByRole('link', { name: 'Drafts' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Check all' }));
  await page.keyboard.press('Enter');
  await page.getByText(/^Checked: 1 campaign (ready|with warnings)$/).waitFor();
  await page.getByText(/^On Countersign’s copy: accepted/).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Review 1 campaign' }));
  const confirmation = await app.confirmationFrom(() => page.keyboard.press('Enter'));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  const after = await second.read(cid);
  expect(after['payout']).toBeCloseTo(Number(before['payout']) * 1.1, 6);
  expect(after['enable_shedule']).toBe(1);
  expect((after['shedule'] as number[]).filter((hour) => hour === 1)).toHaveLength(64);
  expect({ ...after, payout: 0, enable_shedule: 0, shedule: [] }).toEqual({
    ...before,
    payout: 0,
    enable_shedule: 0,
    shedule: [],
  });
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  expect(await complaints()).toEqual([]);
});

test('a field that someone else changed shows mine, theirs and the original, and one of them is kept', async () => {
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
  expect(await conflict.innerText()).toContain(String(Number(before['payout'])));
  expect(await panel.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: 'Take theirs: Name' }).click();
  await panel.getByRole('group', { name: 'Conflict: Name' }).waitFor({ state: 'detached' });
  expect(await panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Their name');
  await panel.getByRole('button', { name: 'Keep mine: Bid' }).click();
  await conflict.waitFor({ state: 'detached' });
  await panel.getByText('1 change', { exact: true }).last().waitFor();

  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await second.read(cid)).toEqual({ ...before, payout: 0.2, name: 'Their name' });
});

test('forty publishers are excluded by one paste with three presses and an approval, and what is no publisher is reported', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(
    second,
    (campaign) => (campaign as { publisher_blocklist: unknown[] }).publisher_blocklist.length > 2,
  );
  const { publisher_blocklist: stored } = await second.read(cid);
  const [known = 0] = stored as number[];
  const region = await openSection(app, cid, 'filters');
  const added = Array.from({ length: 40 }, (_, index) => 70_001 + index);
  await region.getByRole('button', { name: 'Compare publisher_blocklist' }).click();
  await page.getByRole('dialog', { name: 'Compare publisher_blocklist' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const presses = await countPresses(page);
  await region.getByRole('button', { name: 'Paste into publisher_blocklist' }).click();
  await page
    .getByRole('dialog')
    .getByLabel('Entries')
    .fill(
      `${added.slice(0, 20).join('\n')}\n${added.slice(20).join('; ')}, ${known}, ${added[0]}, publisher?`,
    );
  await page.getByText('40 to add').waitFor();
  await page.getByText('1 already there').waitFor();
  await page.getByText('1 left out').waitFor();
  await page.getByRole('button', { name: 'Add 40 entries' }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();

  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await presses()).toBe(3);
  expect((await second.read(cid))['publisher_blocklist']).toEqual([...(stored as number[]), ...added]);
});

test('an amount that can be read in two ways is asked about, and undone as one step', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { d_revenue: stored } = await second.read(cid);
  const panel = await app.open(cid);
  const field = panel.getByLabel('Daily budget', { exact: true });
  await app.edit(cid, 'Daily budget', '1,234');
  await panel.getByText('This can be read in two ways. Choose one.').waitFor();
  expect(await panel.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: '1234', exact: true }).click();
  expect(await field.inputValue()).toBe('1234');
  await panel.getByText('1 change', { exact: true }).last().waitFor();

  await panel.getByRole('button', { name: /^Undo: Daily budget of “/ }).click();
  await expect.poll(() => field.inputValue()).toBe(String(stored));
  await panel.getByRole('button', { name: /^Redo: Daily budget of “/ }).click();
  await expect.poll(() => field.inputValue()).toBe('1234');
  await page.reload();
  await panel.waitFor();
  await expect.poll(() => field.inputValue()).toBe('1234');
});

test('an amount that cannot be read takes its earlier draft back', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { payout: stored } = await second.read(cid);
  const panel = await app.open(cid);
  const field = panel.getByLabel('Bid', { exact: true });
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
  await expect.poll(() => field.inputValue()).toBe('0.4');
  await risk.getByText(/^×/u).waitFor();
  await app.edit(cid, 'Bid', '');
  await expect.poll(drafts).toMatchObject({ campaigns: [] });
  await page.reload();
  await panel.waitFor();
  expect(await field.inputValue()).toBe(String(stored));
});

test('nothing is claimed of the next seven days while the time zone or the flight cannot be read', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const cid = await firstWith(second, (campaign) => {
    const { enable_shedule: schedule, enable_time: flight } = campaign as Record<string, number>;
    return schedule === 1 && flight === 1;
  });
  const region = await openSection(app, cid, 'schedule');
  const week = region.getByRole('region', { name: 'The next seven days' });
  await week.getByText('Runs now').waitFor();
  await app.edit(cid, 'Schedule time zone', 'Mars/Phobos');
  await week.getByText('Not known until the time zone is valid.').waitFor();
  expect(await week.innerText()).not.toMatch(/Runs now|168|Yes/u);
  await app.edit(cid, 'Schedule time zone', 'Europe/Lisbon');
  await week.getByText('Runs now').waitFor();

  await openSection(app, cid, 'budget');
  await app.edit(cid, 'Start date', '2025-02-31');
  await openSection(app, cid, 'schedule');
  await week.getByText('Not known until start and end are valid.').waitFor();
});

test('a new parameter is in the address once it has a name, and its row has the focus', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, (campaign) =>
    (campaign as { clickurl: string }).clickurl.startsWith('https://'),
  );
  const { clickurl: stored } = await second.read(cid);
  const region = await openSection(app, cid, 'identity');
  const address = region.getByLabel('Click URL', { exact: true });
  const names = region.getByLabel(/^Name of parameter/u);
  const count = await names.count();
  await region.getByRole('button', { name: 'Add parameter' }).click();
  expect(await address.inputValue()).toBe(stored);
  await names.nth(count).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('2nd');
  await page.keyboard.press('Tab');
  await page.keyboard.type('x y');
  expect(await address.inputValue()).toBe(`${String(stored)}${count === 0 ? '?' : '&'}2nd=x%20y`);
  await region.getByRole('button', { name: 'Remove parameter 2nd' }).click();
  await expect.poll(() => address.inputValue()).toBe(stored);
  await region.getByRole('button', { name: 'Add parameter' }).and(page.locator(':focus')).waitFor();
});

test('an address is shown letter by letter, without ligatures', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const cid = await firstWith(second, (campaign) =>
    (campaign as { clickurl: string }).clickurl.startsWith('https://'),
  );
  const region = await openSection(app, cid, 'identity');
  const shown = region.getByText('https://').first();
  const before = await shown.screenshot();
  await shown.evaluate((text) => (text.style.fontFeatureSettings = "'calt' 0"));
  expect(before.equals(await shown.screenshot())).toBe(true);
});

test('a button that removes itself hands the focus on', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, (campaign) => {
    const { enable_shedule: schedule, publisher_blocklist: publishers } = campaign as {
      enable_shedule: number;
      publisher_blocklist: unknown[];
    };
    return schedule === 1 && publishers.length > 2;
  });
  const panel = await app.open(cid);
  const hasFocus = (target: Locator): Promise<void> =>
    expect.poll(() => target.and(page.locator(':focus')).count()).toBe(1);
  const undo = (label: string): Promise<void> =>
    panel.getByRole('button', { name: `Undo the change of ${label}` }).press('Enter');
  await page.getByRole('button', { name: 'Clear search' }).press('Enter');
  await hasFocus(page.getByLabel('Search campaigns by name or ID'));
  await app.edit(cid, 'Bid', '0.2');
  await undo('Bid');
  await hasFocus(panel.getByLabel('Bid', { exact: true }));
  await app.edit(cid, 'Daily budget', '1,234');
  await panel.getByRole('button', { name: '1234', exact: true }).press('Enter');
  await hasFocus(panel.getByLabel('Daily budget', { exact: true }));
  await panel.getByRole('button', { name: 'Discard' }).press('Enter');
  await hasFocus(panel.getByRole('heading', { level: 2 }).first());

  await openSection(app, cid, 'schedule');
  await panel.getByRole('button', { name: 'Invert' }).click();
  await undo('Scheduled hours');
  await hasFocus(panel.getByRole('gridcell').first());
  await openSection(app, cid, 'filters');
  const entries = panel.getByRole('list', { name: 'Entries of publisher_blocklist' });
  const crosses = entries.getByRole('button', { name: /^Remove / });
  const next = await crosses.nth(1).getAttribute('aria-label');
  await crosses.first().press('Enter');
  await hasFocus(entries.getByRole('button', { name: next ?? '', exact: true }));
  await undo('publisher_blocklist');
  await hasFocus(panel.getByLabel('Add to publisher_blocklist'));
});

test('every section of the editor is accessible, as far as axe can tell', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, (campaign) => {
    const { bidControl, enable_shedule: isOn } = campaign as {
      bidControl: unknown[];
      enable_shedule: number;
    };
    return bidControl.length > 0 && isOn === 1;
  });
  await app.open(cid);
  await app.edit(cid, 'Bid', '0.2');
  await app.edit(cid, 'Name', 'Edited');
  const found: Record<string, string[]> = {};
  const sections = ['identity', 'creative', 'budget', 'schedule', 'targeting', 'filters', 'bids', 'pacing'];
  for (const section of [...sections, 'other']) {
    await openSection(app, cid, section);
    found[section] = await axeFaults(page);
  }
  await openSection(app, cid, 'filters');
  await page.getByRole('button', { name: 'Paste into publisher_blocklist' }).click();
  await page.getByRole('dialog').getByLabel('Entries').fill('1,204\t2\nx\t5');
  await page.getByRole('radio', { name: /^Column 1/u }).check({ force: true });
  await page.getByRole('radio', { name: 'One entry' }).check({ force: true });
  await page.getByRole('button', { name: 'Add 1 entry' }).waitFor();
  await page.getByText('1 entry is not taken.').waitFor();
  found['paste'] = await axeFaults(page);
  await page.keyboard.press('Escape');
  await second.change(cid, { payout: 0.3 });
  await page.evaluate(() => (location.hash = '#/drafts'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('Checked: 1 campaign with conflicts').waitFor();
  found['drafts'] = await axeFaults(page);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
});
