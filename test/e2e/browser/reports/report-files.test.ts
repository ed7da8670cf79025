import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { turnToReport } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await page.getByText(/^read /).waitFor();
  await page.getByRole('slider').waitFor();
}

async function save(page: Page, entry: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry }).click(),
  ]);
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), bytes };
}

/** Milliseconds, longer than the page shows that a file was saved. */
const noticeMs = 7_000;

const cellsOf = (csv: string): string[][] => Papa.parse<string[]>(csv, { skipEmptyLines: true }).data;

test('the message about a saved file disappears after a few seconds or on another page, and an error stays', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await page.clock.install();
  await openReport(page, 'xml=7301&range=last7&compare=none&by=geo');
  const saved = page.getByText('Saved.', { exact: true });
  await save(page, 'Save table as CSV…');
  await saved.waitFor();
  await page.clock.fastForward(noticeMs);
  await saved.waitFor({ state: 'detached' });

  // The code of the next page never arrives.
  await page.route('**/assets/schedules-*.js', () => undefined);
  await save(page, 'Save table as CSV…');
  await saved.waitFor();
  await app.goTo('Schedules');
  await page.getByRole('link', { name: 'Schedules' }).and(page.locator('[aria-current="page"]')).waitFor();
  expect(await saved.count()).toBe(0);
  await app.goTo('Reports');
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
  expect(await saved.count()).toBe(0);

  const error = encodeError(new AppError('service_unreachable'));
  await page.route('**/api/reports.exportStart', (route) => route.fulfill({ status: 502, json: { error } }));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save the service’s JSON…' }).click();
  const failed = page.getByText('The service cannot be reached.');
  await failed.waitFor();
  await page.clock.fastForward(noticeMs);
  await expect.poll(() => failed.count()).toBe(1);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await failed.waitFor({ state: 'detached' });
});

test('the user saves a report as a table with its origin, as the service’s file, as a picture and on paper', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await openReport(page, 'xml=7301&range=last7&compare=previous&by=geo');

  const table = await save(page, 'Save table as CSV…');
  expect(table.name).toMatch(/^countersign-xml-7301-\d{4}-\d{2}-\d{2}-\d{4}-\d{2}-\d{2}\.csv$/);
  const [facts = '', rows = ''] = table.bytes.toString('utf8').split('\r\n\r\n');
  expect(Object.fromEntries(cellsOf(facts))).toMatchObject({
    Profile: 'Northwind Media',
    Report: 'XML traffic of source 7301',
    Filters: 'None',
    'Time read': expect.stringMatching(/Z$/),
  });

  // The file's total must be the sum over all countries in the service's own file.
  const service = await save(page, 'Save the service’s CSV…');
  const [heads = [], ...countries] = cellsOf(service.bytes.toString('utf8'));
  const clicks = heads.indexOf('gross_clicks');
  const sum = countries.reduce((total, cells) => total + Number(cells[clicks]), 0);
  const [columns = [], ...lines] = cellsOf(rows);
  // The shares are in the column in which the page shows them.
  const share = columns.indexOf('Share of net revenue');
  const revenue = columns.indexOf('Net revenue');
  const total = Number(lines.at(-1)?.[revenue]);
  for (const line of lines) expect(Number(line[share])).toBeCloseTo(Number(line[revenue]) / total, 9);
  await page.getByRole('columnheader', { name: 'Share of net revenue' }).waitFor();
  expect(lines.at(-1)?.[0]).toBe('Total');
  expect(Number(lines.at(-1)?.[columns.indexOf('Gross clicks')])).toBe(sum);
  expect(lines).toHaveLength(countries.length + 1);

  const picture = await save(page, 'Save chart as PNG…');
  expect(picture.name).toMatch(/\.png$/);
  expect(picture.bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect(picture.bytes.readUInt32BE(16)).toBe(2400);

  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('section[data-paper]');
  await sheet.getByRole('rowheader', { name: 'Total' }).waitFor();
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  expect(await complaints()).toEqual([]);
});
