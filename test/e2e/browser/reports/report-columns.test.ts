import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { createReportWorld, type ReportWorld } from '#test/core/reports/publisher-service.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { turnToReport } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const table = (page: Page): Locator =>
  page.locator('[aria-label="Report rows"][aria-busy="false"]:not(:has([aria-busy="true"]))');

/** A row by sub-id with columns of the service's own: a text with markup, a 64-bit number, and a number. */
function ownRow(at: number): object {
  return {
    subid: `s-${at}`,
    '<b>tier</b>': at === 0 ? 'gold' : 'basic',
    placement: `@${at}@`,
    gross_requests: 10 + at,
    bids_won: at,
    net_revenue: '',
  };
}

/** JSON with 64-bit numbers, which no number of JavaScript is. */
const answerText = (data: object[]): string =>
  JSON.stringify({ status: 'success', message: 'Report', data }).replace(
    /"@(\d+)@"/g,
    '922337203685477580$1',
  );

/** Answers the page's reports from the reports of a live profile, each once it is read completely. */
async function answerFrom(world: ReportWorld, page: Page): Promise<void> {
  await page.route('**/api/reports.sources', (route) =>
    route.fulfill({ json: { output: { tids: [7301], sids: [], publisherKey: true } } }),
  );
  await page.route('**/api/reports.page', async (route) => {
    const { query, ...input } = route.request().postDataJSON() as Parameters<
      ReportWorld['reports']['page']
    >[0];
    const output = await world.readPage(query, input);
    await route.fulfill({ json: { output } });
  });
}

test('a service with other columns is grouped and filtered by them, and refused for none', async () => {
  const world = await createReportWorld();
  world.service.script = ({ groupBy }, response) => {
    if (groupBy !== 'subid') return false;
    response.end(answerText([0, 1, 2].map(ownRow)));
    return true;
  };
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await answerFrom(world, page);
  await app.goTo('Reports');
  await turnToReport(page, 'xml=7301&range=2026-11-15..2026-11-21&compare=none&by=geo');
  await table(page).waitFor();
  const grouping = page
    .getByRole('radiogroup', { name: 'Group by' })
    .or(page.getByRole('group', { name: 'Group by' }));
  expect(await grouping.getByText('<b>tier</b>').count()).toBe(0);

  await grouping.getByText('Sub-ID', { exact: true }).click();
  await table(page).getByText('s-2', { exact: true }).waitFor();
  // Numbers are columns, texts and identifiers are dimensions, and what is missing is a dash.
  await page.getByRole('columnheader', { name: 'bids_won' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'placement' }).count()).toBe(0);
  expect(await page.locator('b', { hasText: 'tier' }).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);

  await grouping.getByText('<b>tier</b>').click();
  await expect.poll(() => page.url()).toContain('rows=subid');
  const gold = table(page).getByRole('row').filter({ hasText: 'gold' });
  await gold.getByText('10', { exact: true }).waitFor();
  await table(page).getByRole('row').filter({ hasText: 'basic' }).getByText('23', { exact: true }).waitFor();
  expect(await page.getByText('Not reported').count()).toBe(0);
  // The service cannot be asked for more of it: nothing is offered that it would refuse.
  expect(await page.getByRole('button', { name: /^Look into/ }).count()).toBe(0);
  await table(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('o');
  await page.getByRole('group', { name: 'Filters' }).waitFor();
  expect(await page.getByRole('region', { name: /^Look into/ }).count()).toBe(0);
  await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe('3');

  await page.reload();
  await table(page)
    .getByRole('row')
    .filter({ hasText: /gold|basic/ })
    .first()
    .waitFor();
  await grouping
    .getByText('64-bit', { exact: true })
    .or(grouping.getByText('placement', { exact: true }))
    .click();
  await table(page).getByText('9223372036854775802', { exact: true }).waitFor();
  expect(await complaints()).toEqual([]);
});

test('a drill-down of more days than are read shows the newest and says so, with nothing left to read', async () => {
  const world = await createReportWorld();
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await answerFrom(world, page);
  await page.route('**/api/reports.drill', async (route) => {
    const input = route.request().postDataJSON() as Parameters<ReportWorld['reports']['drill']>[0];
    await world.reports.drill(input);
    await expect
      .poll(async () => (await world.reports.drill({ ...input, read: false })).state.state)
      .toBe('idle');
    const output = await world.reports.drill({ ...input, read: false });
    await route.fulfill({ json: { output } });
  });
  await app.goTo('Reports');
  await turnToReport(page, 'xml=7301&range=2026-08-01..2026-11-21&compare=none&by=geo');
  await table(page).waitFor();
  await table(page).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^Look into/ });
  await panel.getByText('The newest 92 days of the range').waitFor();
  expect(await panel.getByRole('row').count()).toBe(93);
  expect(await panel.getByText(/Partial/).count()).toBe(0);
  expect(await panel.getByRole('button', { name: 'Read the rest' }).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
});

test('narrowed to a country, the lines of XML traffic have the days of the whole source, and the page says so', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  await turnToReport(page, 'xml=7301&range=last7&compare=previous&by=geo');
  await table(page).waitFor();
  const chart = page.getByRole('figure').first();
  const figures = (): Promise<string[]> => chart.locator('td').allTextContents();
  await expect.poll(figures).toContainEqual(expect.stringMatching(/\d/));
  const whole = await figures();
  await table(page).focus();
  await page.keyboard.press('o');
  await page.getByText('Lines show the whole source').waitFor();
  await table(page).waitFor();
  expect(await page.getByText('No figures in this range').count()).toBe(0);
  expect(await figures()).toEqual(whole);
});
