import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

test('a changed bid that the user approves is stored, verified and recorded in the ledger', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);

  await app.open(cid);
  const bid = (Number(before['payout']) * 1.1).toFixed(3);
  await app.edit(cid, 'Bid', bid);
  const confirmation = await app.review(cid);
  expect(await confirmation.title()).toMatch(/^Raise the bid of “.+” from \$.+ to \$/);
  expect(await confirmation.words()).toContain('1 of ');
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  expect(await second.read(cid)).toEqual({ ...before, payout: Number(bid) });
  expect(second.count('PUT', `/${cid}`)).toBe(1);
  await untilInLedger(app, 'Saved and verified: Raise the bid');
  expect(await complaints()).toEqual([]);
});
