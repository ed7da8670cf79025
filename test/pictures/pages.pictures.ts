import { expect, test } from 'vitest';
import type { Fault } from '#core/backend/index.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { waitingFor } from '#test/e2e/driver/app.ts';
import { proposeRaises } from '#test/e2e/driver/raises.ts';
import { pageSizes, savePicture, takeConfirmation, takePage, themes } from './camera.ts';

const { startSession } = prepareSessions();

test.each(themes)('the campaign list, panel and command palette in each state, %s', async (theme) => {
  const { app, second, faults } = await startSession({ colorScheme: theme, requestMs: 10_000 });
  const { page } = app;
  await app.until('first row');
  await takePage(page, 'campaigns', theme);

  await app.selectFirst(7);
  await takePage(page, 'campaigns-selected', theme);
  await page.getByRole('button', { name: 'Clear selection' }).click();

  const cid = await app.cidInRow(4);
  await app.row(cid).getByRole('gridcell').nth(2).click();
  await app.panel(cid).getByLabel('Name').waitFor();
  await takePage(page, 'campaign', theme);
  await app.edit(cid, 'Bid', '99');
  await app.edit(cid, 'Daily budget', '2');
  await app.panel(cid).getByText('2 fields need attention').waitFor();
  await takePage(page, 'campaign-errors', theme);
  await app.panel(cid).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Close the campaign' }).click();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('pa');
  await takePage(page, 'palette', theme);
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('licences');
  await page.keyboard.press('Enter');
  await page.getByText('better-sqlite3').first().waitFor();
  await takePage(page, 'about', theme);
  await page.keyboard.press('Escape');

  await app.search('no such campaign');
  await page.getByText('No results').waitFor();
  await takePage(page, 'campaigns-empty', theme);
  await app.search('');
  await app.until('first row');

  for (let count = 0; count < 40; count += 1) faults.arm({ kind: 'answer', status: 500, method: 'GET' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('alert').first().waitFor();
  await takePage(page, 'campaigns-offline', theme);
  while (faults.take('answer', { method: 'GET', path: '' }) !== undefined);

  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  // A slow service. If the service were unavailable, cached rows would be shown instead.
  for (let count = 0; count < 4; count += 1)
    faults.arm({ kind: 'slow', ms: 6000, method: 'GET', path: '/campaigns' });
  await page.reload();
  await page.locator('[role=row][aria-busy=true]').first().waitFor();
  await takePage(page, 'campaigns-loading', theme);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.locator('[role=row][aria-busy=true]').count()).toBeGreaterThan(10);
  await app.until('first row');
  await second.cids({ perPage: 1 });
});

test.each(themes)('the campaign list if the service never answered, %s', async (theme) => {
  const failing: Fault = { kind: 'answer', status: 500, method: 'GET' };
  const { app } = await startSession({
    colorScheme: theme,
    faults: Array.from({ length: 200 }, () => failing),
  });
  await app.page.getByRole('button', { name: 'Try again' }).waitFor();
  await takePage(app.page, 'campaigns-error', theme);
});

test.each(themes)('the confirmation, proposals and the ledger, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  const { page } = app;
  await app.goTo('Proposals');
  await page.getByText('No proposals yet').waitFor();
  await takePage(page, 'proposals-empty', theme);
  await app.goTo('Campaigns');
  await app.until('first row');

  const [one = 0, two = 0, three = 0, four = 0] = await second.cids({ status: 1, perPage: 4 });
  const bidOf = async (cid: number): Promise<number> => Number((await second.read(cid))['payout']);

  await app.open(one);
  await app.edit(one, 'Bid', ((await bidOf(one)) * 1.2).toFixed(3));
  await app.edit(one, 'Daily budget', '120');
  const first = await app.review(one);
  await first.armed();
  await takeConfirmation(first.page, 'confirm', theme);
  await first.pressApprove();
  await first.ends('Verified');
  await takeConfirmation(first.page, 'confirm-verified', theme);
  await first.close();

  await app.open(three);
  await app.edit(three, 'Bid', ((await bidOf(three)) * 1.1).toFixed(3));
  const moved = await app.review(three);
  await second.change(three, { name: 'BR · Push · Mobile games – desktop · v2' });
  await moved.pressApprove();
  await moved.says('Someone else changed this campaign.');
  await moved.armed();
  await takeConfirmation(moved.page, 'confirm-moved', theme);
  await moved.pressDeny('let us talk first');
  await moved.close();

  await app.open(four);
  await app.edit(four, 'Name', `${String((await second.read(four))['name'])} – winter`);
  const conflict = await app.review(four);
  await second.change(four, { name: 'FR · Native · Sweepway – Chrome · v5' });
  await conflict.pressApprove();
  await conflict.says('Someone else changed the same field.');
  await takeConfirmation(conflict.page, 'confirm-conflict', theme);
  await conflict.close();

  await app.open(two);
  await app.edit(two, 'Bid', ((await bidOf(two)) * 10).toFixed(3));
  const tenfold = await app.review(two);
  await tenfold.armed();
  await takeConfirmation(tenfold.page, 'confirm-tenfold', theme);
  await tenfold.close();

  await page.getByRole('button', { name: 'Close the campaign' }).click();
  await app.search('');
  await app.filterStatus('Active');
  await app.selectFirst(12);
  const batch = await app.confirmationFrom(page.getByRole('button', { name: 'Pause…' }));
  await batch.armed();
  await takeConfirmation(batch.page, 'confirm-batch', theme);
  await batch.close();

  await app.goTo('Proposals');
  await page
    .getByRole('link', { name: /Raise the bid/ })
    .first()
    .click();
  await takePage(page, 'proposals', theme);
  await app.goTo('Ledger');
  await page.getByText('Ledger verified').waitFor();
  await takePage(page, 'ledger', theme);
});

test.each(themes)('a review with its progress bar, a group and the summary, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  await app.until('first row');
  const { outlier } = await proposeRaises(app, second, 5);
  for (const cid of (await second.cids({ status: 1, perPage: 200 })).slice(-3))
    await app.propose(cid, {
      field: 'name',
      from: String((await second.read(cid))['name']),
      to: `Renamed ${cid}`,
    });
  const review = await app.bringUp(await waitingFor(app, outlier));
  const { page } = review;
  const take = async (name: string): Promise<void> => {
    await takeConfirmation(page, name, theme);
    await page.setViewportSize(pageSizes[0]);
    await page.waitForTimeout(900);
    await savePicture(page, `${name}-${theme}-1280`);
    await page.setViewportSize({ width: 760, height: 680 });
  };
  await review.pressDeny('Three times the bid');
  await review.says(/changes$/);
  await take('review-group');
  await review.pressApprove();
  await review.says(/^Rename/);
  await take('review-strip');
  await review.pressDeny();
  await review.armed();
  await page.keyboard.press('l');
  await review.armed();
  await review.pressApprove();
  await review.says(/still awaits/);
  await review.ends('Done');
  await take('review-summary');
});

test.each(themes)(
  'a change that the service refused, in the progress bar and summary of a review, %s',
  async (theme) => {
    const { app, second, faults } = await startSession({ colorScheme: theme });
    await app.until('first row');
    const { outlier } = await proposeRaises(app, second, 2);
    const review = await app.bringUp(await waitingFor(app, outlier));
    faults.arm({ kind: 'answer', status: 422, path: String(outlier), method: 'PUT' });
    await review.pressApprove();
    await review.ends('Not stored');
    await takeConfirmation(review.page, 'review-refused', theme);
    await review.pressApprove();
    await review.says('You decided 3 changes');
    await review.ends('Done');
    await takeConfirmation(review.page, 'review-refused-summary', theme);
  },
);

test.each(themes)('a dialog after an error in it, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme });
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: 'Search and commands' });
  await search.fill('no such command');
  await page.getByText('No results', { exact: true }).evaluate((taken) => taken.remove());
  await search.fill('guide');
  await page.getByRole('dialog', { name: 'This dialog stopped working' }).waitFor();
  await takePage(page, 'dialog-fault', theme);
});
