import { expect, test } from 'vitest';
import type { Faults } from '#core/backend/index.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** Every read of a campaign fails until `heal` is called. */
function breakReads(faults: Faults, cid: number): { heal(): void } {
  const reads = { method: 'GET', path: `/login/campaigns/${cid}` };
  for (let left = 500; left > 0; left -= 1) faults.arm({ kind: 'answer', status: 500, ...reads });
  return {
    heal() {
      while (faults.take('answer', reads) !== undefined);
    },
  };
}

test('a connection that is cut after the PUT arrived: unknown, locked, settled by a read, one PUT in the log of the service', async () => {
  const { app, second, faults } = await startSession({ requestMs: 1500 });
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const bid = Number((Number(before['payout']) * 1.1).toFixed(3));

  await app.open(cid);
  await app.edit(cid, 'Bid', String(bid));
  const confirmation = await app.review(cid);
  let reads = { heal: (): void => {} };
  faults.arm({ kind: 'meanwhile', method: 'PUT', run: () => void (reads = breakReads(faults, cid)) });
  faults.arm({ kind: 'cut-after-write' });
  await confirmation.pressApprove();
  await confirmation.ends('Unknown');

  await app.goTo('Proposals');
  await app.page.getByRole('link', { name: /^Raise the bid/ }).click();
  await app.page.getByRole('button', { name: 'Check now' }).waitFor();
  const refused = await app.ask('campaigns.proposeStatus', { cids: [cid], status: 3 });
  expect(refused).toMatchObject({ code: 'campaign_locked' });

  reads.heal();
  // Countersign looks by itself as well, and may be quicker than the press.
  await app.page
    .getByRole('button', { name: 'Check now' })
    .click({ timeout: 2_000 })
    .catch(() => undefined);
  await app.page.getByText('Verified', { exact: true }).first().waitFor();
  expect(await second.read(cid)).toEqual({ ...before, payout: bid });
  expect(second.count('PUT', `/${cid}`)).toBe(1);
});
