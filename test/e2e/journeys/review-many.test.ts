import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { proposeRaises } from '../driver/raises.ts';

const { startSession } = prepareBrowserSessions();

test('five equal changes are approved together, and the one that differs is denied', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const { equal, outlier } = await proposeRaises(app, second, 5);
  const [first = ''] = await app.waiting(6);
  const review = await app.bringUp(first);

  await review.armed();
  await review.page.getByRole('button', { name: '5 identical changes: review together' }).click();
  await review.page.getByRole('heading', { level: 1, name: 'Raise bids by 10%: 5 changes' }).waitFor();
  await review.pressApprove();
  await review.ends('Done');
  // The change that differs is the riskiest, so it is shown before the others or after them.
  const isBefore = (await review.page.getByRole('button', { name: 'Summary' }).count()) > 0;
  await review.page.keyboard.press(isBefore ? 'p' : 'n');
  await expect.poll(() => review.title()).toContain('$0.300');
  await review.pressDeny('Three times the bid');
  await review.ends('Denied');
  await review.page.keyboard.press('n');
  await review.page.getByRole('heading', { name: 'You decided 6 changes' }).waitFor();

  expect((await second.read(outlier))['payout']).toBe(0.1);
  for (const cid of equal) expect((await second.read(cid))['payout']).toBe(0.11);
  await app.turnTo();
  await untilInLedger(app, 'Three times the bid');
  await page.getByText('Saved and verified: Raise the bid').first().waitFor();
  expect(await complaints()).toEqual([]);
});
