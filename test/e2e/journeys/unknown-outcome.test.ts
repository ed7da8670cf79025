import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('if the connection is cut after the write arrived, the outcome is unknown and the campaign locked until a read settles it, with one PUT in the service’s log', async () => {
  const { app, second, faults } = await startSession();
  const { page } = app;
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const bid = Number((Number(before['payout']) * 1.1).toFixed(3));

  await app.open(cid);
  await app.edit(cid, 'Bid', String(bid));
  const confirmation = await app.review(cid);
  let mendReads = (): void => undefined;
  faults.arm({
    kind: 'meanwhile',
    method: 'PUT',
    run() {
      const path = `/login/campaigns/${cid}`;
      mendReads = faults.arm({ kind: 'answer', status: 500, method: 'GET', path, lasts: true });
    },
  });
  faults.arm({ kind: 'cut-after-write' });
  await confirmation.pressApprove();
  await confirmation.ends('Unknown');

  await app.goTo('Proposals');
  await page.getByRole('link', { name: /^Raise the bid/ }).click();
  const checkNow = page.getByRole('button', { name: 'Check now' });
  await checkNow.waitFor();
  const refused = await app.ask('campaigns.proposeStatus', { cids: [cid], status: 3 });
  expect(refused).toMatchObject({ code: 'campaign_locked' });

  mendReads();
  // Countersign also checks by itself, so the button may be gone.
  await checkNow.evaluateAll((found) => found.forEach((button) => (button as HTMLElement).click()));
  await page.getByText('Verified', { exact: true }).first().waitFor();
  expect(await second.read(cid)).toEqual({ ...before, payout: bid });
  expect(second.count('PUT', `/${cid}`)).toBe(1);
  await untilInLedger(app, /^Outcome unknown: Raise the bid/);
});
