import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { prepareBrowserSessions } from '#test/e2e/driver/browser/sessions.ts';
import { writeHistory } from '#test/fixtures/decision-history.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { takePage, themes } from './camera.ts';

const { startSession } = prepareBrowserSessions();

test.each(themes)('the welcome screen of the first start, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme, offersFirstStart: true });
  await app.page.getByRole('dialog').waitFor();
  await takePage(app.page, 'first-start', theme);
});

test.each(themes)('the Your decisions page, empty and with many decisions, %s', async (theme) => {
  const dataFolder = tempFolder();
  await writeHistory({ folder: dataFolder, dataKey: randomBytes(32), rows: 3_000, days: 80 });
  const { app } = await startSession({ colorScheme: theme, dataFolder, offersFirstStart: true });
  await skipFirstStart(app.page);
  await app.goTo('Ledger');
  await app.page.getByRole('link', { name: 'Your decisions' }).click();
  await app.page.getByText(/\d decisions/).waitFor();
  await takePage(app.page, 'decisions', theme);
  await app.page.getByRole('heading', { name: 'Taken back later' }).scrollIntoViewIfNeeded();
  await takePage(app.page, 'decisions-taken-back', theme);

  const { app: fresh } = await startSession({ colorScheme: theme });
  await fresh.until('first row');
  await fresh.page.goto(new URL('#/ledger/decisions', fresh.page.url()).href);
  await fresh.page.getByText('No decisions in the last 30 days').waitFor();
  await takePage(fresh.page, 'decisions-empty', theme);
});
