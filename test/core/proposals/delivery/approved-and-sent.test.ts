import { expect, test } from 'vitest';
import { campaignNow, createWorld, findCampaign, kindsOf } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

test('a bid that a person approves is sent once, found stored, and written down', async () => {
  const world = await createWorld();
  const row = await findCampaign(world, ({ status }) => status === 1);
  const before = await campaignNow(world, row.cid);
  const to = Number((row.payout + 0.001).toFixed(3));
  const proposal = await proposeUpdate(world.core.handlers, {
    cid: row.cid,
    changes: [{ field: 'payout', from: row.payout, to }],
  });
  expect(proposal.state).toBe('proposed');
  const showing = await world.look(proposal.id);
  const { proposal: done, again } = await world.approve(showing);
  expect(again).toBeNull();
  expect(done.state).toBe('verified');
  expect(await campaignNow(world, row.cid)).toEqual({ ...before, payout: to });
  expect(world.puts()).toBe(1);
  expect(await kindsOf(world, proposal.id)).toEqual([
    'proposal.proposed',
    'proposal.shown',
    'proposal.approved',
    'write.intent',
    'write.sent',
    'write.verified',
  ]);
  expect(await world.core.handlers['ledger.verify']({})).toMatchObject({ state: 'verified' });
});
