import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = target.and(page.locator(':focus'));
  for (let count = 0; count < 120; count += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it');
}

test('the user drafts a bid and a weekly schedule with the keyboard alone, and the drafts survive a reload, are checked, reviewed and stored', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { enable_shedule: 0 });
  const before = await second.read(cid);

  await page.keyboard.press('/');
  await page.keyboard.type(String(cid));
  await page.getByText('1 of 400 campaigns', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  const panel = app.panel(cid);
  await panel.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await tabTo(page, panel.getByLabel('Bid', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('+10%');
  await panel.getByText('1 change', { exact: true }).last().waitFor();

  await tabTo(page, panel.getByRole('link', { name: /^Weekly schedule/ }));
  await page.keyboard.press('Enter');
  const grid = panel.getByRole('grid', { name: 'Scheduled hours' });
  await grid.waitFor();
  await tabTo(page, panel.getByRole('button', { name: 'Weekdays 8–20' }));
  await page.keyboard.press('Enter');
  await panel.getByText('60 of 168 hours on.').waitFor();
  await tabTo(page, grid.getByRole('gridcell', { name: /^Monday 00:00/ }));
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Space');
  await panel.getByText('64 of 168 hours on.').waitFor();
  await expect.poll(() => panel.getByText('3 changes').count()).toBeGreaterThan(0);
  await expect.poll(() => app.ask('drafts.get', { cids: [cid] })).toMatchObject({ campaigns: [{ cid }] });

  await page.reload();
  await panel.getByText('64 of 168 hours on.').waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Drafts' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Check all' }));
  await page.keyboard.press('Enter');
  await page.getByText(/^Checked: 1 campaign (ready|with warnings)$/).waitFor();
  await page.getByText(/^Then Active, /).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Review 1 campaign' }));
  const confirmation = await app.confirmationFrom(() => page.keyboard.press('Enter'));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  const after = await second.read(cid);
  expect(after['payout']).toBeCloseTo(Number(before['payout']) * 1.1, 6);
  expect(after['enable_shedule']).toBe(1);
  expect((after['shedule'] as number[]).filter((hour) => hour === 1)).toHaveLength(64);
  expect({ ...after, payout: 0, enable_shedule: 0, shedule: [] }).toEqual({
    ...before,
    payout: 0,
    enable_shedule: 0,
    shedule: [],
  });
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await untilInLedger(app, /^Saved and verified: /);
  expect(await complaints()).toEqual([]);
});
