import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { untilReportSettles } from '../driver/reports.ts';
import type { SecondClient } from '../driver/second-client.ts';

const { startSession } = prepareBrowserSessions();

/** Returns all texts of a page, including labels and titles. */
const said = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.body.innerText,
      ...[...document.querySelectorAll('[aria-label], [title]')].flatMap((element) => [
        element.getAttribute('aria-label') ?? '',
        element.getAttribute('title') ?? '',
      ]),
    ].join('\n'),
  );

/** Expects numbers with spaces and none with commas, and that no space is shown as a mark. */
async function expectSpaced(page: Page): Promise<void> {
  const text = await said(page);
  expect(text).toMatch(/\d\u202F\d{3}/u);
  expect(text.match(/.*(?:\d,\d{3}\b|U\+202F).*/gu) ?? []).toEqual([]);
}

async function campaignWithBudget(second: SecondClient): Promise<{ cid: number; daily: number }> {
  for (const cid of await second.cids({ status: 1, perPage: 60 })) {
    const { enable_budget: hasBudget, d_revenue: daily } = await second.read(cid);
    if (hasBudget === 1 && Number(daily) > 300 && Number(daily) < 2_000) return { cid, daily: Number(daily) };
  }
  throw new Error('No such campaign');
}

test('the user chooses the format of numbers and times once, and every page and the confirmation use it', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const { cid, daily } = await campaignWithBudget(second);

  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Numbers: 1,234.50 (comma)' }).click();
  await page.getByRole('option', { name: '1\u202F234.50 (narrow space)' }).click();
  const chosen = page.getByRole('button', { name: 'Numbers: 1\u202F234.50 (narrow space)' });
  await chosen.waitFor();
  await page.getByRole('button', { name: /^Time zone: This computer/ }).click();
  await page.getByRole('option', { name: 'UTC', exact: true }).click();
  await page.getByRole('button', { name: 'Time zone: UTC' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await page.reload();
  await chosen.waitFor();
  await app.goTo('Campaigns');
  await app.until('first row');
  await expectSpaced(page);
  await page.evaluate(() => void (location.hash = '#/reports?xml=7301&range=last7&by=geo'));
  await untilReportSettles(page);
  await page.getByRole('slider').waitFor();
  await expectSpaced(page);

  const id = await app.propose(cid, { field: 'd_revenue', from: daily, to: 2_345.5 });
  await app.goTo('Proposals');
  await page
    .getByText(/\$2\u202F345\.50/u)
    .first()
    .waitFor();
  await expectSpaced(page);
  const confirmation = await app.bringUp(id);
  await confirmation.armed();
  expect(await confirmation.words()).toContain('$2\u202F345.50');
  await expectSpaced(confirmation.page);

  // The format changes while the confirmation is open: the numbers are redrawn, and the confirmation can still be
  // answered.
  await app.ask('session.setFormats', { numbers: 'none', moments: 'service' });
  await confirmation.says(/\$2345\.50/u);
  await page
    .getByText(/\$2345\.50/u)
    .first()
    .waitFor();
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect((await second.read(cid))['d_revenue']).toBe(2_345.5);
  expect(await complaints()).toEqual([]);
});
