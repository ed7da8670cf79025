import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { reportStates } from '../../driver/report-states.ts';
import { addAlertWithoutPercentage, turnToReport, untilReportSettles } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

test('every loading state and a missing publisher key are explained with the next step, and axe finds no fault in them', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  let tid = 9_000;
  await app.goTo('Reports');
  // One route for all states, because between two routes real figures would arrive.
  const shown: { answer: unknown } = { answer: null };
  await page.route('**/api/reports.page', (route) =>
    shown.answer === null ? route.continue() : route.fulfill({ json: { output: shown.answer } }),
  );
  for (const [name, state] of Object.entries(reportStates)) {
    const { answer, words, step, parameters = '' } = state();
    shown.answer = answer;
    tid += 1;
    await turnToReport(page, `xml=${tid}&range=last7&compare=none${parameters}`);
    const main = page.getByRole('main');
    for (const text of words) await main.getByText(text).first().waitFor();
    if (step !== undefined) {
      const action = main.getByRole('button', { name: step, exact: true });
      await action.or(main.getByRole('link', { name: step, exact: true })).waitFor();
    } else {
      // A repeated request would fail again.
      expect(await main.getByRole('button', { name: 'Try again' }).count(), name).toBe(0);
    }
    found[name] = await axeFaults(page);
  }
  expect(await complaints()).toEqual([]);

  const error = encodeError(new AppError('credential_missing'));
  await page.route('**/api/reports.sources', (route) =>
    route.fulfill({ json: { output: { tids: [], sids: [], publisherKey: false } } }),
  );
  await page.unroute('**/api/reports.page');
  await page.route('**/api/reports.page', (route) => route.fulfill({ status: 401, json: { error } }));
  await page.reload();
  await page.getByText('Reports need a publisher key').waitFor();
  found['no publisher key'] = await axeFaults(page);
  await page.getByRole('link', { name: 'Add publisher key' }).click();
  await expect.poll(() => page.url()).toContain('#/profiles');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

test('a range that the app refuses is reported at its field, and the page keeps its figures', async () => {
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
  // The problem is shown once, at its field.
  const problem = page
    .getByRole('alert')
    .and(page.getByText('A range has at most 732 days.', { exact: true }));
  await problem.waitFor();
  const days = page.getByRole('button', { name: /^Days:/ });
  await expect.poll(() => days.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
  const main = page.getByRole('main');
  await main.getByText('These days cannot be shown.').waitFor();
  await main
    .getByText(/The figures shown are of the days before, read .* Choose other days at the top\./u)
    .waitFor();
  await expect.poll(() => main.getByText('A range has at most 732 days.').count()).toBe(1);
  expect(await main.getByText(/compared with/u).count()).toBe(0);
  // The next step is meant for programs, and Try again would be refused again.
  expect(await main.getByText('Correct the named fields').count()).toBe(0);
  expect(await main.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.locator('[aria-label="Report rows"] [aria-rowindex="2"]').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.goBack();
  await problem.waitFor({ state: 'detached' });
});

/** Collects the accessibility faults of a page by the name of each check. */
function looksAt(page: Page): { found: Record<string, string[]>; look(name: string): Promise<void> } {
  const found: Record<string, string[]> = {};
  return {
    found,
    async look(name) {
      // A popover is outside of the landmarks.
      found[name] = (await axeFaults(page)).filter((fault) => !fault.startsWith('region '));
    },
  };
}

test('axe finds no fault in days, columns, heat map, changes, dialogs and the panel of a report', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const { found, look } = looksAt(page);
  await page.route('**/api/reports.drill', async (route) => {
    const { output } = (await (await route.fetch()).json()) as { output: object };
    await route.fulfill({ json: { output: { ...output, newestDays: 92 } } });
  });
  await app.goTo('Reports');
  await untilReportSettles(page);
  await look('report');
  await page.getByRole('button', { name: /^Days:/ }).click();
  await page.getByRole('table', { name: 'Calendar' }).waitFor();
  await look('days');
  await page.getByRole('textbox', { name: 'From' }).fill('2026-13-40');
  await page.getByRole('button', { name: 'Show days' }).click();
  await page.getByText('Write the day as 2026-11-30.').waitFor();
  await page.getByRole('textbox', { name: 'From' }).fill('2099-01-01');
  await page.getByText('Start today or earlier.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Heat').check({ force: true });
  await look('columns with heat');
  await page.keyboard.press('Escape');
  const table = page.locator('[aria-label="Report rows"]');
  // The shades must differ: the largest value of a column has a stronger shade than others.
  const shades = table.locator('[role=gridcell] [style*="--heat"]');
  await shades.first().waitFor();
  const strengths = await shades.evaluateAll((cells) =>
    cells.map((cell) => (cell as HTMLElement).style.getPropertyValue('--heat')),
  );
  expect(new Set(strengths).size).toBeGreaterThan(3);
  await look('heat');
  await page.getByRole('button', { name: 'Sort by change' }).click();
  await expect.poll(() => page.url()).toContain('net_revenue%3Adifference');
  await untilReportSettles(page);
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
  await page.keyboard.press('Escape');
  await table.focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Rows of the panel' }).waitFor();
  await page.getByText('The newest 92 days of the range').waitFor();
  await look('panel and selection');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  expect(await complaints()).toEqual([]);
});

test('axe finds no fault in search, sources, marks and alerts, an unavailable source says so, and foreign names stay plain text', async () => {
  const { app } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const { found, look } = looksAt(page);
  await app.goTo('Reports');
  await untilReportSettles(page);
  await turnToReport(page, 'search=all');
  await untilReportSettles(page);
  await look('search');
  await turnToReport(page, 'xml=999999');
  await page.getByText('This traffic source is not open to your key').waitFor();
  await look('forbidden');
  await turnToReport(page, 'xml=');
  await page.getByText('Choose a traffic source').waitFor();
  await look('choose');
  const source = { kind: 'xml', tid: 7_301 };
  const target = { source, dimension: 'geo', value: 'BR' };
  const range = { from: '2026-11-01', to: '2026-11-07' };
  await app.ask('reports.marks.set', { target, sign: 'bad', note: 'Bots', range });
  await turnToReport(page, 'xml=7301&part=marks');
  await page.getByRole('table').getByText('Bots').waitFor();
  await look('marks');
  await turnToReport(page, 'xml=7301&part=alerts');
  await addAlertWithoutPercentage(page);
  await look('alert form');
  await page.getByLabel('Percent').fill('30');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem', { name: /^Gross requests: falls by 30%/ }).waitFor();
  await look('alerts');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));

  const only = new URLSearchParams({ only: `${encodeURIComponent('re\u202Egion')}:x` });
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
