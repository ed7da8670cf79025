import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { reportStates } from '../../driver/report-states.ts';
import { turnToReport, untilReportSettles } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

test('every state of reading says what is so and offers the step that helps, and axe finds nothing in it', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  let tid = 9_000;
  await app.goTo('Reports');
  // One route for all states: between two of them, real figures would come through.
  const shown: { answer: unknown } = { answer: null };
  await page.route('**/api/reports.page', (route) =>
    shown.answer === null ? route.continue() : route.fulfill({ json: { output: shown.answer } }),
  );
  for (const [name, state] of Object.entries(reportStates)) {
    const { answer, words, step } = state();
    shown.answer = answer;
    tid += 1;
    await turnToReport(page, `xml=${tid}&range=last7&compare=none`);
    const main = page.getByRole('main');
    for (const text of words) await main.getByText(text).first().waitFor();
    if (step !== undefined) {
      const action = main.getByRole('button', { name: step, exact: true });
      await action.or(main.getByRole('link', { name: step, exact: true })).waitFor();
    } else {
      // The same question would fail again.
      expect(await main.getByRole('button', { name: 'Try again' }).count(), name).toBe(0);
    }
    found[name] = await axeFaults(page);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  expect(await complaints()).toEqual([]);
});

test('without a publisher key the page says what it is for and leads to the profile', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const error = encodeError(new AppError('credential_missing'));
  await page.route('**/api/reports.sources', (route) =>
    route.fulfill({ json: { output: { tids: [], sids: [], publisherKey: false } } }),
  );
  await page.route('**/api/reports.page', (route) => route.fulfill({ status: 401, json: { error } }));
  await app.goTo('Reports');
  await page.getByText('Reports need a publisher key').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Add publisher key' }).click();
  await expect.poll(() => page.url()).toContain('#/profiles');
});

test('a range that the app itself refuses is named at its field, and the page keeps its figures', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  await untilReportSettles(page);
  await page.getByRole('button', { name: /^Days:/ }).click();
  await page.getByRole('textbox', { name: 'From' }).fill('2020-01-01');
  await page.getByRole('textbox', { name: 'To' }).fill('2026-10-31');
  await page.getByRole('button', { name: 'Show days' }).click();
  await page.getByText('Start on 30 Oct 2024 or later: 732 days at most.').waitFor();
  await page.keyboard.press('Escape');
  await turnToReport(page, 'xml=7301&range=2020-01-01..2026-10-31&compare=previous');
  // Said once, at the field.
  const problem = page
    .getByRole('alert')
    .and(page.getByText('A range has at most 732 days.', { exact: true }));
  await problem.waitFor();
  const days = page.getByRole('button', { name: /^Days:/ });
  expect(await days.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
  const main = page.getByRole('main');
  await main.getByText('These days cannot be shown.').waitFor();
  await main
    .getByText(/The figures shown are of the days before, read .* Choose other days at the top\./u)
    .waitFor();
  expect(await main.getByText('A range has at most 732 days.').count()).toBe(1);
  expect(await main.getByText(/compared with/u).count()).toBe(0);
  // A step for programs, and one that would be refused again.
  expect(await main.getByText('Correct the named fields').count()).toBe(0);
  expect(await main.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.locator('[aria-label="Report rows"] [aria-rowindex="2"]').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.goBack();
  await problem.waitFor({ state: 'detached' });
});

test('days that are refused where nothing is shown are named once, and nothing is said of figures', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  await untilReportSettles(page);
  await turnToReport(page, 'xml=7301&range=2001-01-01..2001-01-31&compare=previous');
  const main = page.getByRole('main');
  await main.getByText('No data for these days').waitFor();
  await turnToReport(page, 'xml=7301&range=2001-01-01..2026-10-31&compare=previous');
  await main.getByText('These days cannot be shown.').waitFor();
  expect(await main.getByText('A range has at most 732 days.').count()).toBe(1);
  expect(await main.getByText(/were read|^read |compared with|Some fields/u).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
});

test('a search without a match offers to clear it, and with one the total says that it is of everything', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  await untilReportSettles(page);
  await page.getByText('Country', { exact: true }).first().click();
  const grid = page.locator('[aria-label="Report rows"]');
  await grid.getByText('Total', { exact: true }).waitFor();
  const search = page.getByRole('textbox', { name: 'Search countries' });
  await search.fill('Atlantis');
  await page.getByText('No countries of this report contain “Atlantis”.').waitFor();
  expect(await grid.count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button').and(page.getByText('Clear search')).click();
  await grid.getByText('Total', { exact: true }).waitFor();
  expect(await search.inputValue()).toBe('');
  await search.fill('a');
  await grid.getByText('Total of all countries').waitFor();
  await search.fill('Brazil');
  await page.getByText('1 country', { exact: true }).waitFor();
});

test('the share of the only row is not cut', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.until('first row');
  await turnToReport(page, 'xml=7301&range=last7&compare=none&by=geo&only=geo:US');
  await untilReportSettles(page);
  const share = page.locator('[aria-label="Report rows"]').getByText('100.0%', { exact: true });
  expect(await share.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

const exportMenu = (page: Page): Locator => page.getByRole('button', { name: 'Export', exact: true });

async function choose(page: Page, entry: string): Promise<void> {
  await exportMenu(page).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('an export shows how far it is; cancelled or broken off it leaves no file', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  const names: string[] = [];
  page.on('download', (download) => names.push(download.suggestedFilename()));
  await app.goTo('Reports');
  await untilReportSettles(page);

  // The second part is held until the cancel has been pressed.
  const held = Promise.withResolvers<void>();
  let parts = 0;
  await page.route('**/api/reports.exportPart', async (route) => {
    parts += 1;
    if (parts > 1) await held.promise;
    await route.fulfill({ json: { output: { text: 'a,b\n', receivedBytes: 2_500_000, done: parts > 1 } } });
  });
  await choose(page, 'Save the service’s CSV…');
  await page.getByRole('status').filter({ hasText: '2.5 MB' }).waitFor();
  found['running'] = await axeFaults(page);
  const ended = page.waitForRequest('**/api/reports.exportEnd');
  await page.getByRole('button', { name: 'Cancel export' }).click();
  await ended;
  await page.getByRole('status').filter({ hasText: 'Cancelling…' }).waitFor();
  held.resolve();
  await exportMenu(page).waitFor();

  await page.unroute('**/api/reports.exportPart');
  const broken = encodeError(new AppError('service_unreachable'));
  await page.route('**/api/reports.exportPart', (route) =>
    route.fulfill({ status: 502, json: { error: broken } }),
  );
  await choose(page, 'Save the service’s JSON…');
  await page.getByText('The service cannot be reached.').waitFor();
  found['failed'] = await axeFaults(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();

  // A file that is complete is the only one that arrives.
  const download = page.waitForEvent('download');
  await choose(page, 'Save table as CSV…');
  expect(names).toEqual([(await download).suggestedFilename()]);
  expect(found).toEqual({ running: [], failed: [] });
});

test('heat, a comparison, exclusions and the dialogs have no accessibility fault', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  const look = async (name: string): Promise<void> => {
    // A popover lies outside of the landmarks.
    found[name] = (await axeFaults(page)).filter((fault) => !fault.startsWith('region '));
  };
  await app.goTo('Reports');
  await untilReportSettles(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Heat').check({ force: true });
  await look('columns with heat');
  await page.keyboard.press('Escape');
  const table = page.locator('[aria-label="Report rows"]');
  // Shades differ: the largest value of a column and others.
  const shades = table.locator('[role=gridcell] [style*="--heat"]');
  await shades.first().waitFor();
  const strengths = await shades.evaluateAll((cells) =>
    cells.map((cell) => (cell as HTMLElement).style.getPropertyValue('--heat')),
  );
  expect(new Set(strengths).size).toBeGreaterThan(3);
  await look('heat');
  await page.getByRole('button', { name: 'Sort by change' }).click();
  await expect.poll(() => page.url()).toContain('net_revenue%3Adifference');
  await table.focus();
  await page.keyboard.press('e');
  await page.getByText('1 value excluded from totals').waitFor();
  await look('changes and exclusion');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('dialog', { name: 'Save view' }).waitFor();
  await look('save view');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Compare/ }).click();
  await page.getByRole('menuitemradio', { name: 'Last year' }).waitFor();
  await look('comparisons');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  expect(await complaints()).toEqual([]);
});

test('names of the service’s own dimensions are foreign text in filters and in alerts', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const only = new URLSearchParams({ only: `${encodeURIComponent('re\u202Egion')}:x` });
  await app.goTo('Reports');
  await untilReportSettles(page);
  await turnToReport(page, `search=all&range=last7&compare=none&${only}`);
  const name = 're⟨U+202E⟩gion';
  const chip = page.getByRole('button', { name: `Remove filter ${name} x` });
  await chip.waitFor();
  expect((await page.locator('body').innerText()).includes('\u202E')).toBe(false);
  await page.getByRole('button', { name: /^Alerts/ }).click();
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  await page
    .getByRole('button', { name: /^Scope/ })
    .getByText(`One ${name}`)
    .waitFor();
  await page.getByRole('textbox', { name, exact: true }).waitFor();
  expect((await page.locator('body').innerText()).includes('\u202E')).toBe(false);
});

test('a row inside another is excluded from its parent alone, and the page says which', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  await app.goTo('Reports');
  await turnToReport(page, 'search=all&range=last7&compare=none&by=geo&by=feed');
  await untilReportSettles(page);
  const table = page.locator('[aria-label="Report rows"]');
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: /^Close / }).waitFor();
  await untilReportSettles(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('e');
  const chip = page.getByRole('button', { name: /^Count again: Country .+ › Feed \d+$/ });
  await chip.waitFor();
  const feed = (await chip.getAttribute('aria-label'))?.split('Feed ')[1];
  await table.getByText('excluded', { exact: true }).waitFor();
  // The search leaves the rows of this feed, of which other countries have one as well.
  await turnToReport(page, `${page.url().split('?')[1]}&find=${feed}`);
  const ofFeed = table.locator(`[title^="Show only"][title$=" › ${feed}"]`);
  await expect.poll(() => ofFeed.count()).toBe(1);
  await page
    .getByRole('button', { name: /^Open / })
    .first()
    .click();
  await expect.poll(() => ofFeed.count()).toBe(2);
  expect(await table.getByText('excluded', { exact: true }).count()).toBe(1);
  await chip.click();
  await table.getByText('excluded', { exact: true }).waitFor({ state: 'detached' });
});
