import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

async function bidUnderReview() {
  const { app, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const mine = Number((Number(before['payout']) * 1.1).toFixed(3));

  await app.open(cid);
  await app.edit(cid, 'Bid', String(mine));
  const confirmation = await app.review(cid);
  return { second, cid, before, mine, confirmation };
}

test('a campaign that another user changed is explained and proposed again, and a change of the same field is blocked', async () => {
  const { second, cid, mine, confirmation } = await bidUnderReview();
  const firstFingerprint = await confirmation.fingerprint();
  await second.change(cid, { name: 'Renamed by somebody else' });
  await confirmation.pressApprove();

  await confirmation.says('Someone else changed this campaign. Nothing was sent.');
  await confirmation.says('Renamed by somebody else');
  expect(await confirmation.fingerprint()).not.toBe(firstFingerprint);
  expect(second.count('PUT', `/${cid}`)).toBe(1);

  await second.change(cid, { payout: Number((mine * 1.2).toFixed(3)) });
  await confirmation.pressApprove();
  await confirmation.says('Someone else changed the same field. Nothing was sent.');
  await confirmation.approve.waitFor({ state: 'detached' });
  expect(second.count('PUT', `/${cid}`)).toBe(2);
  expect((await second.read(cid))['payout']).toBe(Number((mine * 1.2).toFixed(3)));
});

test('a batch that loses a campaign before its approval is refused completely', async () => {
  const { app, second, giveAway } = await startSession();
  await app.until('first row');
  await app.filterStatus('Active');
  const cids = await second.cids({ status: 1, perPage: 12 });
  await app.selectFirst(12);
  const confirmation = await app.confirmationFrom(app.page.getByRole('button', { name: 'Pause…' }));
  giveAway(cids[3] ?? 0);
  await confirmation.pressApprove();
  await confirmation.says(String(cids[3]));
  expect(second.count('PUT', '/update-status')).toBe(0);
  for (const cid of cids) if (cid !== cids[3]) expect((await second.read(cid))['status']).toBe(1);
});
