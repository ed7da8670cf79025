import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { turnToReport, untilReportSettles } from '../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const focusedName = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    return focused?.getAttribute('aria-label') ?? focused?.textContent ?? null;
  });

/** Presses Enter on the button with this name, and expects that it disappears and `next` gets the focus. */
async function expectAfterPress(page: Page, name: string, next: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  if ((await focusedName(page)) !== name) await button.focus();
  await page.keyboard.press('Enter');
  await button.waitFor({ state: 'detached' });
  await expect.poll(() => focusedName(page)).toBe(next);
}

test('removing an entry, a filter or an alert with the keyboard moves the focus to the next one, or to the next step after the last', async () => {
  const { app, second } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  const [cid = 0, ...others] = await second.cids({ status: 1, perPage: 3 });
  await second.change(cid, { publisher_blocklist: [11, 12, 13] });
  await app.until('first row');

  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/filters`);
  await expectAfterPress(page, 'Remove 11', 'Remove 12');
  await expectAfterPress(page, 'Remove 12', 'Remove 13');
  await expectAfterPress(page, 'Remove 13', 'Add to Blocked publishers');

  const draft = { from: null, operations: [{ kind: 'set', value: 'A name' }] };
  await app.ask('drafts.change', {
    title: 'Names',
    changes: others.map((other) => ({ cid: other, field: 'name', draft })),
  });
  await page.evaluate(() => (location.hash = '#/drafts'));
  const revert = (id: number): string => `Revert the drafts of campaign ${id}`;
  const reverts = [cid, ...others].toSorted((a, b) => a - b).map(revert);
  for (const [at, name] of reverts.entries())
    await expectAfterPress(page, name, reverts[at + 1] ?? 'Undo: Revert of 1 campaign');

  await app.goTo('Agents');
  await page.getByRole('button', { name: 'Set limits…' }).click();
  await page.getByLabel('Search campaigns to protect').fill('987654321 987654322');
  await page.keyboard.press('Enter');
  const stop = (id: number): string => `Stop protecting campaign ${id}`;
  await expectAfterPress(page, stop(987654321), stop(987654322));
  await expectAfterPress(page, stop(987654322), 'Search campaigns to protect');

  await app.goTo('Campaigns');
  await app.until('first row');
  const listed = await second.cids({ perPage: 10 });
  const search = page.getByRole('textbox', { name: 'Search campaigns' });
  const crosses = page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: /^Remove filter/ });
  for (const count of [4, 3, 2]) {
    await search.evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, listed.slice(0, count).join('\n'));
  }
  await crosses.nth(2).waitFor();
  const names = await crosses.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  expect(names).toHaveLength(3);
  const [first = '', middle = '', last = ''] = names;
  await page.getByRole('button', { name: middle, exact: true }).focus();
  await expectAfterPress(page, middle, last);
  await expectAfterPress(page, last, first);
  await expectAfterPress(page, first, 'Search campaigns');

  for (const threshold of ['20', '30']) {
    const rule = {
      source: { kind: 'xml', tid: 7_301 },
      only: null,
      metric: 'gross_requests',
      window: 'yesterday',
      condition: { kind: 'level', is: 'below', threshold },
      least: null,
    };
    await app.ask('reports.alerts.save', { id: null, rule });
  }
  await turnToReport(page, 'xml=7301&part=alerts');
  const items = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
  await items.nth(1).waitFor();
  const deletes = await items
    .getByRole('button', { name: /^Delete alert: / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
  for (const [at, name] of deletes.entries()) {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Cancel');
    // Cancel returns the focus to the button that opened the question.
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe(name);
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Cancel');
    await page.getByRole('button', { name: 'Delete alert', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe(deletes[at + 1] ?? 'Add alert');
  }
});

/** Presses a key on the control with this name, and waits until `next` has the focus. */
async function expectFocusAfter(page: Page, name: string, next: string, key = 'Enter'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press(key);
  await expect.poll(() => focusedName(page)).toBe(next);
}

test('a busy control keeps the focus, a closed form returns it, and a bulk change starts at its first field', async () => {
  const { app } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  const rule = {
    source: { kind: 'xml', tid: 7_301 },
    only: null,
    metric: 'gross_requests',
    window: 'yesterday',
    condition: { kind: 'level', is: 'above', threshold: '1' },
    least: null,
  };
  await app.ask('reports.alerts.save', { id: null, rule });
  await page.getByRole('navigation', { name: 'Sections' }).getByLabel('1 crossed').waitFor();
  await page.getByRole('link', { name: 'Open alerts' }).waitFor();
  // Dismissing the message that the alert has crossed returns the focus.
  const dismiss = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' });
  await dismiss.waitFor();
  await page.getByRole('textbox', { name: 'Search campaigns' }).focus();
  await dismiss.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Search campaigns');

  await turnToReport(page, 'xml=7301&part=alerts');
  const on = page.getByRole('checkbox', { name: 'On' });
  const isOn = (): Promise<boolean> => on.evaluate((box) => box === document.activeElement);
  await on.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => on.isChecked()).toBe(false);
  await expect.poll(isOn).toBe(true);
  await page.keyboard.press('Space');
  await expect.poll(() => on.isChecked()).toBe(true);
  await expectFocusAfter(page, 'Add alert', 'Report: XML traffic 7301');
  await expectFocusAfter(page, 'Cancel', 'Add alert');
  const [edit = ''] = await page
    .getByRole('button', { name: /^Edit alert/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
  await expectFocusAfter(page, edit, 'Report: XML traffic 7301');
  await expectFocusAfter(page, 'Cancel', edit);

  await app.goTo('Agents');
  const expectFocus = async (name: string): Promise<void> => {
    const named = page.getByLabel(name).or(page.locator(':focus', { hasText: name }));
    await expect.poll(() => page.locator(':focus').and(named).count()).toBe(1);
  };
  await page.getByRole('button', { name: 'Set limits…' }).press('Enter');
  await expectFocus('Limit how far a bid may rise in one change');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expectFocus('Set limits…');
  await page.keyboard.press('Enter');
  await expectFocus('Limit how far a bid may rise in one change');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Save limits' }).press('Enter');
  await expectFocus('Edit…');

  await app.goTo('Campaigns');
  await app.selectFirst(2);
  await page.getByRole('button', { name: 'Change…' }).press('Enter');
  await page.getByRole('heading', { name: 'Change 2 campaigns' }).waitFor();
  await expectFocus('Bid');
});

test('the user moves, renames and deletes saved views and removes marks with the keyboard without losing the focus', async () => {
  const { app } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  const query = {
    source: { kind: 'xml', tid: 7_301 },
    range: { preset: 'last7' },
    comparison: 'none',
    includeToday: false,
    levels: ['geo'],
    only: [],
    excluded: [],
    search: '',
    sort: { column: 'net_revenue', descending: true },
  };
  for (const name of ['One', 'Two', 'Three']) await app.ask('reports.views.save', { name, query });
  await turnToReport(page, 'xml=7301&by=geo');
  // While the report is loading, it has a Cancel button too.
  await untilReportSettles(page);
  await page.getByRole('button', { name: /^Views/ }).click();
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  const first = page.getByRole('dialog').getByRole('listitem').first();
  await page.getByRole('button', { name: 'Move One down' }).focus();
  await page.keyboard.down('Enter');
  await first.and(page.getByRole('listitem', { name: 'Two' })).waitFor();
  await expect.poll(() => focusedName(page)).toBe('Move One down');
  // A held key moves the view only once: One stays before Three.
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(() => page.getByRole('button', { name: 'Open Two first' }).isEnabled()).toBe(true);
  await expectFocusAfter(page, 'Open Two first', 'Don’t open Two first');
  await expectFocusAfter(page, 'Delete Two', 'Cancel');
  await expectFocusAfter(page, 'Cancel', 'Delete Two');
  await expectFocusAfter(page, 'Rename Two', '');
  await expectFocusAfter(page, 'Cancel', 'Rename Two');
  for (const [name, next] of [
    ['Two', 'Delete One'],
    ['Three', 'Delete One'],
    ['One', 'Close'],
  ] as const) {
    await expectFocusAfter(page, `Delete ${name}`, 'Cancel');
    await expectFocusAfter(page, 'Delete view', next);
  }
  await page.keyboard.press('Escape');

  const range = { from: '2026-11-01', to: '2026-11-07' };
  for (const value of ['US', 'BR', 'DE']) {
    const target = { source: query.source, dimension: 'geo', value };
    await app.ask('reports.marks.set', { target, sign: 'good', note: '', range });
  }
  await turnToReport(page, 'xml=7301&part=marks');
  const removes = (value: string): string => `Remove mark of ${value}`;
  await page.getByRole('button', { name: removes('United States (US)') }).waitFor();
  await expectFocusAfter(page, removes('Brazil (BR)'), removes('United States (US)'));
  await expectFocusAfter(page, removes('United States (US)'), removes('Germany (DE)'));
  await expectFocusAfter(page, removes('Germany (DE)'), 'Marks');
});

test('a choice or press whose button disappears moves the focus to the next step', async () => {
  const { app, second } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { publisher_blocklist: [11, 12, 12] });
  await app.until('first row');
  const open = (section: string): Promise<string> =>
    page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/${section}`);
  await open('filters');
  const addField = 'Add to Blocked publishers';
  await page.getByRole('textbox', { name: addField }).waitFor();
  await expectFocusAfter(page, 'Remove 1 duplicate', addField);
  await expectFocusAfter(page, 'Remove all of Blocked publishers', addField);
  await expectFocusAfter(page, 'Undo the change of Blocked publishers', addField);

  await open('identity');
  await page.getByRole('button', { name: 'Labels of this campaign' }).click();
  await page.getByLabel('New label').fill('Client A');
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('New label');
  const change = 'Change label Client A';
  await page.getByRole('button', { name: change }).click();
  await expectFocusAfter(page, 'Cancel', change);
  await page.getByRole('button', { name: change }).click();
  await expectFocusAfter(page, 'Delete label', 'New label');

  const draft = (value: string | number) => ({ from: null, operations: [{ kind: 'set', value }] });
  const { name, d_revenue } = await second.read(cid);
  await app.ask('drafts.change', {
    title: 'Both',
    changes: [
      { cid, field: 'name', draft: { ...draft('Mine'), from: name } },
      { cid, field: 'd_revenue', draft: { ...draft(1001), from: d_revenue } },
    ],
  });
  await second.change(cid, { name: 'Theirs', d_revenue: 1002 });
  await page.evaluate(() => (location.hash = '#/drafts'));
  await page.getByRole('button', { name: 'Check all' }).click();
  const settle = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name });
    await button.focus();
    await page.keyboard.press('Enter');
    await button.waitFor({ state: 'detached' });
  };
  await settle('Take theirs: Daily budget');
  const link = page.locator(`a[href^="#/campaigns/${cid}"]`);
  await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
  // The change of the drafts ends their check. The next check draws this button again.
  await page.getByRole('button', { name: 'Take theirs: Name' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Check all' }).click();
  await settle('Take theirs: Name');
  await expect.poll(() => focusedName(page)).toMatch(/^Undo/);
});
