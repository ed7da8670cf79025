import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addDays } from '#shared/reports/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { turnToReport } from '../../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const tid = 7_301;

async function openReport(page: Page, parameters: string): Promise<void> {
  await turnToReport(page, parameters);
  await page.getByText(/^read /).waitFor();
  await page.getByRole('slider').waitFor();
}

test('a change appears on its day in the chart, opens its entries, and a day can be opened by mouse and keyboard', async () => {
  const { app, second } = await startSession({ demoCampaigns: 24 });
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name: from } = await second.read(cid);
  const id = await app.propose(cid, { field: 'name', from, to: 'Named anew' });
  const asking = await app.bringUp(id);
  await asking.pressApprove();
  await asking.ends('Verified');

  const today = new Date().toISOString().slice(0, 10);
  await openReport(page, `xml=${tid}&range=${addDays(today, -3)}..${today}&today=yes&compare=none&by=date`);
  const marker = page.getByRole('button', { name: new RegExp(`^${fullDateText(today)}: `) });
  await marker.click();
  await expect.poll(() => page.url()).toContain('#/ledger');
  await page
    .getByText(/Named anew/)
    .first()
    .waitFor();
  expect(await page.getByText(/Renamed|Named anew/).count()).toBeGreaterThan(0);

  const [first, last] = [addDays(today, -9), addDays(today, -1)];
  await openReport(page, `xml=${tid}&range=${first}..${last}&compare=none&by=geo`);
  const slider = page.getByRole('slider');
  await expect.poll(() => slider.getAttribute('aria-valuemax')).toBe('9');
  const { width, height } = (await slider.boundingBox()) ?? { width: 0, height: 0 };
  await slider.hover({ position: { x: width / 2, y: height / 2 } });
  await page.getByText('Click or press Enter to show this day').waitFor();
  await slider.click({ position: { x: width / 2, y: height / 2 } });
  const middle = addDays(first, 4);
  await expect.poll(() => page.url()).toContain(`range=${middle}..${middle}`);
  await page.goBack();
  await expect.poll(() => page.url()).toContain(`range=${first}..${last}`);
  await expect.poll(() => slider.getAttribute('aria-valuemax')).toBe('9');
  await slider.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const before = addDays(last, -1);
  await expect.poll(() => page.url()).toContain(`range=${before}..${before}`);

  // The cursor was on a day that the chart does not contain any more.
  await expect.poll(() => slider.getAttribute('aria-valuemax')).toBe('1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^\w{3}, \d/);
  expect(page.url()).toContain(`range=${before}..${before}`);
});
