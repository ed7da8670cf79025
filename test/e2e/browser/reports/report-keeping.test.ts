import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { demoSources } from '#core/backend/demo-data/publisher-sources.ts';
import { hasBots } from '#core/backend/demo-data/statistics-day.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { runningClock } from '../../driver/running-clock.ts';
import { addAlertWithoutPercentage, noonOfOutage, turnToReport } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const dayMs = 86_400_000;
const tid = 7_301;

/** Turns to a report by its address, and waits for its rows. */
async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await page.getByText(/^read /).waitFor();
  await firstRow(page).waitFor();
}

/** The first row with figures. */
const firstRow = (page: Page): Locator =>
  page.getByRole('grid', { name: 'Report rows' }).locator('[aria-rowindex="2"]:not([aria-busy="true"])');

/** Sub-ids under which the demo's bots clicked in the 30 days before today, by the calendar of its stories. */
function botSubids(nowMs: number): Set<string> {
  const source = demoSources('northwind')[0]?.tids.find(({ id }) => id === tid);
  if (source === undefined) throw new Error('The demo lost a source');
  const today = Math.floor(nowMs / dayMs);
  const days = Array.from({ length: 30 }, (_day, at) => today - 1 - at);
  return new Set(source.subids.filter((subid) => days.some((day) => hasBots(source, subid, day))));
}

test('the sub-id with bot traffic is found, marked with a note, and exported with its figures', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last30&compare=none&by=subid&sort=%2Bvalid_rate`);
  await firstRow(page).click();
  await page
    .getByRole('button', { name: /^Mark / })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Bad' }).click();
  await page.getByRole('button', { name: /is marked Bad/ }).click();
  await page.getByRole('menuitem', { name: 'Add note…' }).click();
  await page.getByLabel('Note', { exact: true }).fill('=Bots, told the partner');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.evaluate(() => void (location.hash = '#/reports?part=marks'));
  expect(await axeFaults(page)).toEqual([]);
  const { items } = (await app.ask('reports.marks.list', {})) as { items: { value: string }[] };
  expect(botSubids(Date.now())).toContain(items[0]?.value);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export marks…' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain(`"'=Bots, told the partner"`);
  expect(await complaints()).toEqual([]);
});

test.each([
  ['XML traffic', `xml=${tid}&by=subid`],
  ['Search', 'search=all&by=geo'],
])(
  'a value of %s that is marked in a range with today keeps the figures that are shown',
  async (_of, report) => {
    const clock = runningClock();
    const { app } = await startSession({ clock, demoCampaigns: 1 });
    const { page } = app;
    await app.until('first row');
    const dayBefore = (days: number): string =>
      new Date(clock.nowMs() - days * dayMs).toISOString().slice(0, 10);
    await openReport(page, `${report}&range=${dayBefore(6)}..${dayBefore(0)}&compare=none`);
    await firstRow(page).click();
    await page
      .getByRole('button', { name: /^Mark / })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Watch' }).click();
    await page.getByRole('button', { name: /is marked Watch/ }).waitFor();
    await page
      .getByRole('checkbox', { name: /^Select / })
      .nth(1)
      .check();
    await page.getByRole('button', { name: 'Mark the selected values' }).click();
    await page.getByRole('menuitem', { name: 'Bad' }).click();
    const rangesThen = async () => {
      const { items } = (await app.ask('reports.marks.list', {})) as {
        items: { figuresThen: { range: object } | null }[];
      };
      return items.map(({ figuresThen }) => figuresThen?.range ?? null);
    };
    const shown = { from: dayBefore(6), to: dayBefore(1) };
    await expect.poll(rangesThen).toEqual([shown, shown]);
  },
);

test('figures now of a mark are read by opening its report over as many recent days', async () => {
  const clock = runningClock();
  const { app } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last30&compare=none&by=geo`);
  await firstRow(page).click();
  await page
    .getByRole('button', { name: /^Mark / })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Watch' }).click();
  await page.getByRole('button', { name: /is marked Watch/ }).waitFor();
  clock.advance(dayMs);
  const marks = page.locator('main');
  const openMarks = (): Promise<void> => page.evaluate(() => void (location.hash = '#/reports?part=marks'));
  await openMarks();
  await marks.getByText('not read yet').waitFor();
  await page.getByRole('button', { name: 'Read in the report' }).click();
  await expect.poll(() => page.url()).toContain('range=last30');
  await page.getByText(/^read /).waitFor();
  await firstRow(page).waitFor();
  await openMarks();
  await marks.getByText('not read yet').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Read in the report' }).count()).toBe(0);
});

test('a saved view survives a restart, and opens first where a person wants it', async () => {
  const { app, restartCore } = await startSession();
  let { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last14&compare=weekdays&by=geo&sort=-net_revenue`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Countries, two weeks');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).click();
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await page.getByRole('button', { name: 'Open Countries, two weeks first' }).click();
  await page.getByText('Opens first').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  ({ page } = await restartCore());
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => void (location.hash = '#/reports'));
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
});

test('an alert fires once on the half-day outage, and again only after it has recovered', async () => {
  const clock = createManualClock(noonOfOutage());
  const { app } = await startSession({ clock });
  const { page } = app;
  await app.until('first row');
  await page.evaluate((hash) => void (location.hash = hash), `#/reports?xml=${tid}&part=alerts`);
  await page.getByRole('button', { name: 'Add alert' }).waitFor();
  await addAlertWithoutPercentage(page);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel('Percent').fill('30');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('listitem', { name: /^Gross requests: falls by 30%/ });
  await alert.getByText('Clear').waitFor();
  await page.evaluate(() => void (location.hash = '#/ledger'));

  const badge = page.getByRole('navigation', { name: 'Sections' }).getByLabel('1 crossed');
  clock.advance(dayMs);
  await badge.waitFor();
  await page.getByText('1 report alert crossed').waitFor();
  await page.getByRole('link', { name: 'Open alerts' }).click();
  await alert.getByText('Crossed').waitFor();
  await badge.waitFor({ state: 'detached' });
  // Looked at again and again on the same day, it says nothing new.
  for (let hour = 0; hour < 3; hour += 1) await app.ask('reports.alerts.check', {});
  clock.advance(dayMs);
  await alert.getByText('Clear').waitFor();
  for (let day = 2; day < 18; day += 1) {
    clock.advance(dayMs);
    await app.ask('reports.alerts.check', {});
  }
  await alert.getByText('Crossed').waitFor();
  const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
  expect(await history.count()).toBe(3);
  expect(await axeFaults(page)).toEqual([]);
});
