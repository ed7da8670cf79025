import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoSources } from '#core/backend/demo-data/publisher-sources.ts';
import { hasBots } from '#core/backend/demo-data/statistics-day.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** The first reading of a report starts threads and fills a cache: a busy machine takes its time for it. */
const firstReadMs = 60_000;

const dayMs = 86_400_000;
const tid = 7_301;
const shots = process.env['SHOTS'];

async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` });
  }
}

/** Turns to a report by its address, and waits for its rows. */
async function openReport(page: Page, parameters: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#/reports?${parameters}`);
  await page.getByText(/^read /).waitFor({ timeout: firstReadMs });
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
  await shoot(page, 'report');
  await firstRow(page).click();
  await page
    .getByRole('button', { name: /^Mark / })
    .last()
    .click();
  await shoot(page, 'mark-menu');
  await page.getByRole('menuitem', { name: 'Bad' }).click();
  await page.getByRole('button', { name: /is marked Bad/ }).click();
  await page.getByRole('menuitem', { name: 'Add note…' }).click();
  await page.getByLabel('Note', { exact: true }).fill('=Bots, told the partner');
  await shoot(page, 'note-dialog');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.evaluate(() => void (location.hash = '#/reports?part=marks'));
  await shoot(page, 'marks');
  expect(await axeFaults(page)).toEqual([]);
  const { items } = (await app.ask('reports.marks.list', {})) as { items: { value: string }[] };
  expect(botSubids(Date.now())).toContain(items[0]?.value);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export marks…' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain(`"'=Bots, told the partner"`);
  expect(await complaints()).toEqual([]);
});

test('a saved view survives a restart, and opens first where a person wants it', async () => {
  const { app, restartCore } = await startSession();
  let { page } = app;
  await app.until('first row');
  await openReport(page, `xml=${tid}&range=last14&compare=weekdays&by=geo&sort=-net_revenue`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Countries, two weeks');
  await shoot(page, 'save-view');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).click();
  await shoot(page, 'views-menu');
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await page.getByRole('button', { name: 'Open Countries, two weeks first' }).click();
  await page.getByText('Opens first').waitFor();
  await shoot(page, 'manage-views');
  expect(await axeFaults(page)).toEqual([]);

  ({ page } = await restartCore());
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => void (location.hash = '#/reports'));
  await page.getByRole('button', { name: 'Views: Countries, two weeks' }).waitFor();
});

test('an alert fires once on the half-day outage, and again only after it has recovered', async () => {
  // Noon of the day of an outage: it is yesterday after one day.
  const outage = Math.ceil(Date.parse('2026-11-01') / dayMs / 17) * 17;
  const clock = createManualClock(outage * dayMs + dayMs / 2);
  const { app } = await startSession({ clock });
  const { page } = app;
  await app.until('first row');
  await page.evaluate((hash) => void (location.hash = hash), `#/reports?xml=${tid}&part=alerts`);
  await page.getByRole('button', { name: 'Add alert' }).waitFor();
  await shoot(page, 'alerts-empty');
  await page.getByRole('button', { name: 'Add alert' }).click();
  await page.getByRole('button', { name: /^Metric/ }).click();
  await page.getByRole('option', { name: 'Gross requests' }).click();
  await page.getByRole('button', { name: /^Condition/ }).click();
  await page.getByRole('option', { name: 'Falls by' }).click();
  await page.getByRole('button', { name: 'Add alert' }).click();
  await page.getByText('Enter digits and at most one point').waitFor();
  await shoot(page, 'alert-form');
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
  await shoot(page, 'alert-toast');
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
  await shoot(page, 'alerts');
  expect(await axeFaults(page)).toEqual([]);
});
