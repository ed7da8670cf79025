import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { CampaignDraftView, SchedulesView } from '#shared/app-api/index.ts';
import { targetingDimensions } from '#shared/campaign/fields/targeting.ts';
import { dateOfDay, dayNumber, officeWeek } from '#shared/campaign/time/calendar.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { dayAndDateText } from '#shared/lib/date-text.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { countPresses } from '../driver/presses.ts';
import { runningClock } from '../driver/running-clock.ts';
import type { AppDriver } from '../driver/app.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';

const { startSession } = prepareBrowserSessions();

async function countPressesAndKeys(page: Page): Promise<() => Promise<number>> {
  const presses = await countPresses(page);
  await page.evaluate(() => {
    const { counter } = window as unknown as { counter: { presses: number } };
    document.addEventListener('keydown', () => (counter.presses += 1), true);
  });
  return presses;
}

async function approve(asking: ConfirmationDriver, app: AppDriver): Promise<void> {
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();
  await app.turnTo();
}

test('the user pauses a client’s campaigns for the weekend with two presses and an approval, and resumes them with one press', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const filter = { query: 'Kestrel', status: null, types: [], sort: 'cid', order: 'desc' };
  const list = { filter, page: 1, perPage: 200 };
  const rowsOf = async (): Promise<{ cid: number; status: number }[]> =>
    ((await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] }).rows;
  await app.until('first row');
  for (const { cid, status } of await rowsOf()) if (status === 4) await second.change(cid, { status: 1 });
  const before = await rowsOf();
  const running = before.filter(({ status }) => status === 1);
  expect(running.length).toBeGreaterThan(1);
  expect(running.length).toBeLessThan(before.length);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await app.search('Kestrel');
  await page.getByText(`${before.length} of 400 campaigns`).waitFor();

  const presses = await countPresses(page);
  await page.getByRole('checkbox', { name: /^Select all \d+ loaded campaigns/ }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  await approve(await app.confirmationFrom(bar.getByRole('button', { name: /^Pause(?! until)/ })), app);
  expect(await presses()).toBe(2);
  for (const { cid } of running) expect((await second.read(cid))['status']).toBe(3);
  expect(await axeFaults(page)).toEqual([]);

  const back = await app.confirmationFrom(page.getByRole('button', { name: /^Resume / }));
  await back.page.getByLabel(/Type the number of campaigns/).fill(String(running.length));
  await approve(back, app);
  expect(await presses()).toBe(3);
  expect(await rowsOf()).toEqual(before);
});

test('the user pauses a client’s campaigns until Monday and resumes them with at most ten presses and keys, and has to remember nothing', async () => {
  const clock = runningClock();
  const { app } = await startSession({ clock });
  const { page } = app;
  await app.until('first row');
  const filter = { query: 'Kestrel', status: null, types: [], sort: 'cid', order: 'desc' };
  const list = { filter, page: 1, perPage: 200 };
  const { rows } = (await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] };
  const running = rows.filter(({ status }) => status === 1 || status === 4);

  const presses = await countPressesAndKeys(page);
  await page.keyboard.press('/');
  await page.keyboard.type('kes');
  await page.getByText(`${rows.length} of 400 campaigns`).waitFor();
  await page.getByRole('checkbox', { name: /^Select all \d+ loaded campaigns/ }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  await bar.getByRole('button', { name: 'Pause until…' }).click();
  const dialog = page.getByRole('dialog', { name: `Pause ${running.length} running campaigns until…` });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const asking = await app.confirmationFrom(
    dialog.getByRole('button', { name: /^(Until Monday|Until tomorrow) morning/ }).last(),
  );
  expect(await asking.title()).toMatch(/ until Mon \d+ \w+ \d{4}, 08:00$/);
  await asking.says(/Returns Mon .*, 08:00 \(UTC\): will ask you again\./);
  expect(await axeFaults(asking.page)).toEqual([]);
  const approvals = 1;
  await approve(asking, app);
  expect((await presses()) + approvals).toBeLessThanOrEqual(8);

  const { returns } = (await app.ask('schedules.list', { read: false })) as SchedulesView;
  clock.advance((returns[0]?.atMs ?? 0) - clock.nowMs());
  const [due = ''] = await app.waiting(1);
  const back = await app.bringUp(due);
  expect(await back.words()).toContain('proposed by schedule “Pause until Mon ');
  const typed = back.page.getByLabel(/Type the number of campaigns/);
  if ((await typed.count()) > 0) await typed.fill(String(running.length));
  await approve(back, app);
  const after = (await app.ask('campaigns.page', list)) as { rows: { cid: number; status: number }[] };
  expect(after.rows).toEqual(rows);
});

test('the user extends an end date in the campaign’s calendar, and by typing in the panel next to the list', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const today = dayNumber(new Date().toISOString().slice(0, 10)) ?? 0;
  // The tenth of a month, so that the calendar shows a later day on the same page.
  const soon = `${dateOfDay(today + 40).slice(0, 7)}-10`;
  const flight = { enable_time: 1, create: dateOfDay(today), create_time: '00:00' };
  await second.change(cid, { ...flight, expire: soon, expire_time: '23:59' });
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/budget`);
  const region = page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  await expect.poll(() => region.getByLabel('End date', { exact: true }).inputValue()).toBe(soon);

  const presses = await countPresses(page);
  await region.getByRole('button', { name: 'Choose end date' }).click();
  await page.getByRole('dialog').getByText('24', { exact: true }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();
  await approve(await app.confirmationFrom(region.getByRole('button', { name: 'Review change' })), app);
  expect(await presses()).toBe(3);
  expect((await second.read(cid))['expire']).toBe(`${soon.slice(0, 8)}24`);

  await app.goTo('Campaigns');
  await app.until('first row');
  const places = async (): Promise<(number | undefined)[]> => {
    const [list, bid] = [
      page.getByRole('grid'),
      page.getByRole('columnheader', { name: 'Bid', exact: true }),
    ];
    const [top, edge] = [(await list.boundingBox())?.y, await bid.boundingBox()];
    const width = await list.evaluate(({ clientWidth, scrollLeft }) => clientWidth + scrollLeft);
    const left = (await list.boundingBox())?.x ?? 0;
    // How far the column extends beyond the list.
    return [top, Math.max(0, (edge?.x ?? 0) + (edge?.width ?? 0) - left - width)];
  };
  const panel = app.panel(cid);
  const end = panel.getByLabel('End date', { exact: true });
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const before = await places();
    await page.keyboard.press('Home');
    await app.row(cid).getByRole('gridcell').nth(1).click();
    await end.waitFor();
    const after = await places();
    expect([width, after[0]]).toEqual([width, before[0]]);
    if (width < 1280) await page.getByRole('button', { name: 'Close the campaign' }).click();
    else expect([before[1], after[1]]).toEqual([0, 0]);
  }
  const later = dateOfDay((dayNumber(`${soon.slice(0, 8)}24`) ?? 0) + 14);
  await end.fill('+14d');
  await panel.getByText(`${dayAndDateText(later)}, 14 days later, 23:59`).waitFor();
  await expect.poll(() => end.inputValue()).toBe('+14d');
  await end.press('Enter');
  await expect.poll(() => end.inputValue()).toBe(later);
  await panel.getByRole('button', { name: 'Flight: On' }).click();
  await page.getByRole('option', { name: 'Off: no start, no end' }).click();
  await panel.getByText('Ignored while the flight is off').waitFor();
});

async function draftsOf(app: AppDriver): Promise<CampaignDraftView[]> {
  const { campaigns } = (await app.ask('drafts.get', { cids: null })) as { campaigns: CampaignDraftView[] };
  return campaigns;
}

/** Selects the first rows by dragging over their bids. */
async function dragOverBids({ page, until, row, cidInRow }: AppDriver, count: number): Promise<void> {
  await until('list at rest');
  const bidOf = async (at: number): Promise<[x: number, y: number]> => {
    const head = await page.getByRole('columnheader', { name: 'Bid', exact: true }).boundingBox();
    const box = await row(await cidInRow(at)).boundingBox();
    return [(head?.x ?? 0) + 20, (box?.y ?? 0) + 10];
  };
  await page.mouse.move(...(await bidOf(1)));
  await page.mouse.down();
  await page.mouse.move(...(await bidOf(count)), { steps: 8 });
  await page.mouse.up();
  const selected = page.getByRole('status').filter({ hasText: `${count} selected` });
  await selected.waitFor();
}

/** Opens the form that changes the first rows together. */
async function changeFirst(app: AppDriver, count: number): Promise<void> {
  const { page } = app;
  await dragOverBids(app, count);
  await page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: `Change ${count} campaigns` }).waitFor();
}

async function addToDrafts(page: Page, counts: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: counts }).waitFor();
  await page.getByRole('button', { name: 'Add to drafts' }).click();
  await page.getByText(/^Added to the drafts: /).waitFor();
}

/** Copies a text for Ctrl+V, as a person does in another app. */
async function copyElsewhere(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
}

test('the user finds push campaigns in Brazil above $100 a day with at most twelve presses and keys, typed as one line', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const filter = { query: '', status: null, types: [], sort: 'cid', order: 'desc' };
  const pages = await Promise.all(
    [1, 2].map((page) => app.ask('campaigns.page', { filter, page, perPage: 200 })),
  );
  const wanted = pages
    .flatMap((page) => (page as { rows: CampaignRow[] }).rows)
    .filter(
      ({ type_name, geo, daily_budget }) =>
        /push/i.test(type_name) && geo.includes('BR') && (daily_budget > 100 || daily_budget === 0),
    );
  expect(wanted.length).toBeGreaterThan(0);

  const presses = await countPressesAndKeys(page);
  await page.keyboard.press('/');
  await page.keyboard.type('br pu');
  // Two keys of most keyboards.
  await page.keyboard.press('Shift+>');
  await page.keyboard.type('100');
  await page
    .getByRole('status')
    .filter({ hasText: /^Filter by Country: Brazil, / })
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change filter Daily budget above $100' }).waitFor();
  await page.getByText(`${wanted.length} of 400 campaigns`, { exact: true }).waitFor();
  await app.until('list at rest');
  for (const { cid } of wanted) await app.row(cid).waitFor();
  expect(await presses()).toBeLessThanOrEqual(12);
});

test('the user raises six bids by 10 % as drafts with at most seven presses and keys: one drag, the text and Ctrl+Enter', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ perPage: 6 });

  const presses = await countPressesAndKeys(page);
  await dragOverBids(app, 6);
  await page.keyboard.type('+10%');
  await page.getByText('Ctrl Enter changes all 6 selected').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('[role=gridcell]').getByText(', draft, was').nth(5).waitFor({ state: 'attached' });
  expect(await presses()).toBeLessThanOrEqual(7);
  const fields = { payout: { operations: [{ kind: 'percent', percent: '10' }] } };
  const drafted = (await draftsOf(app)).toSorted((one, other) => other.cid - one.cid);
  expect(drafted).toMatchObject(cids.map((cid) => ({ cid, fields })));
});

test('the user restores an earlier state of a campaign from the list and approves it with five presses', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(1);
  const earlier = await second.read(cid);
  const changed = await app.propose(cid, { field: 'name', from: earlier['name'], to: 'A name too many' });
  await approve(await app.bringUp(changed), app);
  expect(await second.read(cid)).toMatchObject({ name: 'A name too many' });
  await app.until('first row');

  const presses = await countPressesAndKeys(page);
  await app.row(cid).getByRole('gridcell').nth(1).click();
  const panel = app.panel(cid);
  await panel.getByRole('tab', { name: 'Earlier states' }).click();
  await panel.getByRole('button', { name: /^Restore as draft/ }).click();
  await panel.getByText('1 change', { exact: true }).last().waitFor();
  const approvals = 1;
  await approve(await app.review(cid), app);
  expect((await presses()) + approvals).toBeLessThanOrEqual(5);
  expect(await second.read(cid)).toEqual(earlier);
});

test('the user copies the targeting of a recent campaign to four others as drafts with at most five presses and keys', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [source = 0] = await second.cids({ page: 6, perPage: 1 });
  await second.change(source, { geo_enabled: 0, geo: ['JP', 'KR'] });
  await app.until('first row');
  const cids = await second.cids({ perPage: 4 });

  const presses = await countPressesAndKeys(page);
  await changeFirst(app, 4);
  await app.chooseChange('Copy from another campaign');
  const found = page.getByRole('list', { name: 'Campaigns to copy from' });
  await found
    .getByRole('button')
    .filter({ hasText: String(source) })
    .click();
  await addToDrafts(page, '4 change');
  expect(await presses()).toBeLessThanOrEqual(5);
  const shown = await second.read(source);
  const copied = targetingDimensions.flatMap(({ flag, list }) => [flag, list]);
  const drafts = await draftsOf(app);
  expect(drafts.map(({ cid }) => cid)).toEqual(cids);
  for (const { cid, fields } of drafts) {
    const before = await second.read(cid);
    const differing = copied.filter((field) => !isDeepStrictEqual(before[field], shown[field]));
    const expected = differing.map((field) => [
      field,
      { from: before[field], operations: [{ kind: 'set', value: shown[field] }] },
    ]);
    expect(fields).toEqual(Object.fromEntries(expected));
  }
});

test('the user excludes forty publishers from a campaign by one paste and an approval with at most eight presses and keys', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(1);
  const stored = [60_001, 60_002];
  await second.change(cid, { publisher_blocklist: stored });
  const added = Array.from({ length: 40 }, (_, index) => 70_001 + index);
  await copyElsewhere(page, added.join('\n'));

  const presses = await countPressesAndKeys(page);
  await app.row(cid).getByRole('gridcell').nth(1).click();
  const region = app.panel(cid);
  await region.getByRole('link', { name: /^Keywords and filters/ }).click();
  await region.getByRole('button', { name: 'Paste into Blocked publishers' }).click();
  await page.getByRole('dialog').getByLabel('Entries').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+v');
  await page.getByRole('button', { name: 'Add 40 entries' }).click();
  await region.getByText('1 change', { exact: true }).last().waitFor();
  const approvals = 1;
  await approve(await app.review(cid), app);
  expect((await presses()) + approvals).toBeLessThanOrEqual(8);
  expect((await second.read(cid))['publisher_blocklist']).toEqual([...stored, ...added]);
});

test('the user sets three campaigns to weekdays from 8 to 20 as drafts with at most four presses and keys', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cids = await second.cids({ perPage: 3 });
  for (const cid of cids) await second.change(cid, { enable_shedule: 0 });

  const presses = await countPressesAndKeys(page);
  await changeFirst(app, 3);
  await app.chooseChange('Weekly schedule');
  await addToDrafts(page, '3 change');
  expect(await presses()).toBeLessThanOrEqual(4);
  const set = (value: unknown): object => ({ operations: [{ kind: 'set', value }] });
  const fields = { enable_shedule: set(1), shedule: set(officeWeek) };
  expect(await draftsOf(app)).toMatchObject(cids.map((cid) => ({ cid, fields })));
});

test('the user exports and imports a CSV file with at most six presses and keys besides the file dialogs: three faults are named and the rest becomes drafts', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');

  const presses = await countPressesAndKeys(page);
  await changeFirst(app, 5);
  await page.getByRole('button', { name: 'Export CSV…' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d+ columns/u }).click();
  const [, ...lines] = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open CSV…' }).click();
  const cids = lines.map((line) => line.split(',')[0] ?? '');
  const edited = [
    'cid,Bid (payout)',
    ...cids.map((cid, index) =>
      [index === 3 ? '' : index === 4 ? '99999999' : cid, index === 2 ? 'cheap' : '0.0777'].join(),
    ),
  ];
  const buffer = Buffer.from(edited.join('\r\n'));
  await (await chooser).setFiles({ name: 'edited.csv', mimeType: 'text/csv', buffer });
  await page.getByText(/^Line 5: It has no campaign id/u).waitFor();
  await page.getByText(/^Line 6: Campaign 99999999/u).waitFor();
  await page.getByRole('row').filter({ hasText: 'Bid isn’t a number: “cheap”' }).first().waitFor();
  await addToDrafts(page, '2 change');
  expect(await presses()).toBeLessThanOrEqual(6);
  const fields = { payout: { operations: [{ kind: 'set', value: 0.0777 }] } };
  const drafted = cids.slice(0, 2).map((cid) => ({ cid: Number(cid), fields }));
  expect(await draftsOf(app)).toMatchObject(drafted);
});

test('the user replaces a domain in twelve click URLs as drafts with at most fourteen presses and keys, typing the part that differs', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const cids = (await second.cids({ perPage: 12 })).slice(0, 12);
  for (const cid of cids) await second.change(cid, { clickurl: `https://old.example/go?c=${cid}` });
  await app.until('first row');
  await page.getByRole('button', { name: 'Refresh' }).click();

  const presses = await countPressesAndKeys(page);
  await changeFirst(app, 12);
  await app.chooseChange('Find and replace');
  await page.getByLabel('Find', { exact: true }).click();
  await page.keyboard.type('old.');
  await page.keyboard.press('Tab');
  await page.keyboard.type('new.');
  await addToDrafts(page, '12 change');
  expect(await presses()).toBeLessThanOrEqual(14);
  const replacing = { kind: 'replaceText', find: 'old.', replacement: 'new.', matchesCase: false };
  const drafted = cids.map((cid) => ({
    cid,
    fields: { clickurl: { from: `https://old.example/go?c=${cid}`, operations: [replacing] } },
  }));
  expect(await draftsOf(app)).toMatchObject(drafted);
});
