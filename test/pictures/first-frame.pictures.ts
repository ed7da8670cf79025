import { test } from 'vitest';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { savePicture, themes } from './camera.ts';

const { startWaitingSession } = prepareDesktopSessions();

test.each(themes)('rows of the last session at a start, then the current rows, %s', async (theme) => {
  const { app, letCoreStart } = await startWaitingSession({
    colorScheme: theme,
    lastSession: (kept) => ({
      ...kept,
      readAtMs: kept.readAtMs - 14 * 3_600_000,
      keptAtMs: kept.keptAtMs - 14 * 3_600_000,
      waiting: 3,
      drafts: 2,
      rows: kept.rows.map((row, at) =>
        at % 5 === 2 ? { ...row, name: `${row.name} before`, payout: 0.01 } : row,
      ),
    }),
  });
  const { page } = app;
  await page.getByText('last session, read').waitFor();
  await savePicture(page, `first-frame-${theme}`);
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await page.getByText('Your emergency stop is the first thing it does.').waitFor();
  await savePicture(page, `first-frame-stop-${theme}`);
  letCoreStart();
  await page.getByText(/· \d+ changed/).waitFor();
  await page.getByText('service ready').waitFor();
  await savePicture(page, `first-frame-replaced-${theme}`);
});

test.each(themes)('rows of the last session while the service is unavailable, %s', async (theme) => {
  const { app, letCoreStart, faults } = await startWaitingSession({
    colorScheme: theme,
    lastSession: (kept) => ({ ...kept, readAtMs: kept.readAtMs - 14 * 3_600_000 }),
  });
  const { page } = app;
  await page.getByText('last session, read').waitFor();
  for (let times = 0; times < 40; times += 1) faults.arm({ kind: 'answer', status: 500, method: 'GET' });
  letCoreStart();
  await page.getByText('Changes are off').first().waitFor();
  await savePicture(page, `first-frame-away-${theme}`);
});
