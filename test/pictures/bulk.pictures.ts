import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { takePage, themes } from './camera.ts';

const { startSession } = prepareSessions();

const counted = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^\d+ change/u })
    .waitFor();

test.each(themes)('every kind of bulk change, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  const { page } = app;
  await app.until('first row');
  await app.selectFirst(12);
  await page.getByRole('toolbar').getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change 12 campaigns' }).waitFor();
  await takePage(page, 'bulk', theme);

  await page.getByLabel('Amount').fill('+25%');
  await page.getByLabel('At most').fill('1.5');
  await counted(page);
  await takePage(page, 'bulk-amount', theme);
  await page.getByLabel('At least').fill('2');
  await takePage(page, 'bulk-amount-wrong', theme);

  await app.chooseChange('Set a field');
  await page.getByLabel('Title', { exact: true }).fill('Autumn offers');
  await counted(page);
  await takePage(page, 'bulk-field', theme);
  await page.getByRole('combobox', { name: 'Field' }).selectOption('traffic_speed');
  await page.getByRole('radio', { name: /^On/u }).click({ force: true });
  await counted(page);
  await takePage(page, 'bulk-field-switch', theme);
  await page.getByRole('combobox', { name: 'Field' }).selectOption('freq_counter');
  await page.getByLabel('Amount').fill('+1');
  await counted(page);
  await takePage(page, 'bulk-field-count', theme);

  await app.chooseChange('Find and replace');
  await page.getByLabel('Find', { exact: true }).fill('https://');
  await page.getByLabel('Replace with').fill('https://eu.');
  await counted(page);
  await takePage(page, 'bulk-text', theme);
  await app.chooseChange('Targeting, filters and keywords');
  await page.getByLabel('Paste entries').fill('Germany; fr\nBR');
  await counted(page);
  await takePage(page, 'bulk-members', theme);
  await app.chooseChange('Weekly schedule');
  await counted(page);
  await takePage(page, 'bulk-schedule', theme);
  await app.chooseChange('Start and end');
  await page.getByRole('button', { name: 'Choose last day' }).click();
  await page.getByRole('dialog').waitFor();
  await takePage(page, 'bulk-flight', theme);
  await page.keyboard.press('Escape');
  await app.chooseChange('Status');
  await counted(page);
  await takePage(page, 'bulk-status', theme);
  await app.chooseChange('Copy from another campaign');
  await page.getByRole('list', { name: 'Campaigns to copy from' }).getByRole('button').first().waitFor();
  await takePage(page, 'bulk-paste', theme);

  await page.getByRole('button', { name: 'Export CSV…' }).click();
  await takePage(page, 'bulk-export', theme);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d+ columns/u }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  const columns = (lines[0] ?? '').split(',').length;
  const at = (lines[0] ?? '').split(',').findIndex((title) => title.includes('(payout)'));
  const bid = (line: number, text: string): void => {
    const cells = (lines[line - 1] ?? '').match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/gu) ?? [];
    cells[at] = `${text},`;
    lines[line - 1] = cells.slice(0, columns).join('');
  };
  for (const [line, text] of [
    [2, '0.0777'],
    [3, 'cheap'],
    [6, '0.0888'],
    [7, '0.0999'],
  ] as const)
    bid(line, text);
  lines[3] = (lines[3] ?? '').replace(/^\d+/u, '99999999');
  lines[4] = (lines[4] ?? '').replace(/^\d+/u, '');
  await second.change(Number(/^\d+/u.exec(lines[6] ?? '')?.[0]), { payout: 0.0555 });
  await page.locator('input[type=file]').setInputFiles({
    name: 'campaigns of November.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });
  await page.getByText('2 lines skipped').waitFor();
  await counted(page);
  await page.getByRole('img', { name: 'Conflict' }).first().click();
  await takePage(page, 'bulk-file', theme);
});

test.each(themes)('filters, coverage, saved views and labels, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, demoCampaigns: 120 });
  const { page } = app;
  await app.until('first row');
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add filter', exact: true }).click();
  await takePage(page, 'find-filters', theme);
  await panel.getByRole('button', { name: 'Country', exact: true }).click();
  await takePage(page, 'find-country', theme);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add filter', exact: true }).click();
  await panel.getByRole('button', { name: 'No end date', exact: true }).click();
  await panel.getByRole('button', { name: 'Apply filter' }).click();
  await page.getByText(/^Searched 0 of 120 campaigns/u).waitFor();
  await takePage(page, 'find-no-coverage', theme);
  await page.getByRole('button', { name: 'Load all in full' }).first().click();
  await page.getByText('Searched all 120 campaigns', { exact: true }).waitFor();
  await app.until('first row');
  await takePage(page, 'find-covered', theme);

  await page.getByRole('button', { name: 'Saved filters and views' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter…' }).click();
  await page.getByRole('dialog', { name: 'Save filter' }).getByLabel('Name', { exact: true }).fill('Endless');
  await takePage(page, 'find-save', theme);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Save filter' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Saved filters and views' }).click();
  await takePage(page, 'find-saved', theme);
  await page.keyboard.press('Escape');

  await app.selectFirst(3);
  await page.getByRole('button', { name: 'Labels of the selected campaigns' }).click();
  await panel.getByLabel('New label').fill('Client A');
  await panel.getByText('violet').click();
  await panel.getByRole('button', { name: 'Add label' }).click();
  await panel.getByRole('checkbox', { name: 'Client A' }).waitFor();
  await takePage(page, 'find-labels', theme);
});
