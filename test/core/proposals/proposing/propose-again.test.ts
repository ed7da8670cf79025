import { expect, test } from 'vitest';
import type { ManualClock } from '#test/servers/manual-clock.ts';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, kindsOf, proposeBid } from '../world.ts';

const lifeMs = defaultWaitingMinutes * 60_000;

test('a person’s expired change is prepared again on the current campaign, shown, and sent once approved', async () => {
  const world = await createWorld();
  const { proposal: old, cid, to } = await proposeBid(world);
  world.clock.advance(lifeMs);
  const { handlers } = world.core;
  expect(await handlers['proposals.get']({ id: old.id })).toMatchObject({
    state: 'expired',
    canPrepareAgain: true,
  });
  await changeElsewhere(world, cid, { name: 'Renamed overnight' });
  const { id } = await handlers['proposals.prepareAgain']({ id: old.id });
  const again = await handlers['proposals.get']({ id });
  expect(again).toMatchObject({
    rebase: { of: old.id, preparedAgain: true, moved: [{ field: 'name', after: 'Renamed overnight' }] },
    changes: [{ field: 'payout' }],
  });
  // The new proposal was made for the person, so its confirmation is shown at once.
  expect(world.shown.at(-1)?.proposal.id).toBe(id);
  expect(world.puts()).toBe(1);
  expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
  expect(await campaignNow(world, cid)).toMatchObject({ payout: to, name: 'Renamed overnight' });
  expect(await kindsOf(world, old.id)).toEqual(['proposal.proposed', 'proposal.expired', 'proposal.expired']);
});

test('a field that someone else changed meanwhile is not overwritten, and the reason names both values', async () => {
  const world = await createWorld();
  const { proposal: old, cid } = await proposeBid(world);
  world.clock.advance(lifeMs);
  await changeElsewhere(world, cid, { payout: 0.321 });
  const { handlers } = world.core;
  await expect(handlers['proposals.prepareAgain']({ id: old.id })).rejects.toMatchObject({
    code: 'edit_conflict',
    message: expect.stringMatching(/Bid was .* It is \$0\.321 now/),
  });
  expect(await handlers['proposals.get']({ id: old.id })).toMatchObject({
    state: 'expired',
    replacedBy: null,
    canPrepareAgain: true,
  });
});

test('a person’s expired change of status is prepared again for the current campaigns', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const { handlers } = world.core;
  const old = await handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  world.clock.advance(lifeMs);
  await changeElsewhere(world, cid, { d_revenue: 777, enable_budget: 1 });
  const { id } = await handlers['proposals.prepareAgain']({ id: old.id });
  const again = await handlers['proposals.get']({ id });
  expect(again.rebase?.moved.map(({ field }) => field)).toContain('d_revenue');
  expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
  expect(await campaignNow(world, cid)).toMatchObject({ status: 3 });
});

test('a batch and a denied change cannot be prepared again', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  await world.deny(await world.look(proposal.id));
  const { handlers } = world.core;
  expect(await handlers['proposals.get']({ id: proposal.id })).not.toHaveProperty('canPrepareAgain');
  await expect(handlers['proposals.prepareAgain']({ id: proposal.id })).rejects.toMatchObject({
    code: 'proposal_not_waiting',
  });
});

const tenMinutesMs = 10 * 60_000;

test.each<[string, (clock: ManualClock) => void]>([
  ['the machine sleeps, or the clock is set forward', (clock) => clock.setForward(tenMinutesMs)],
  ['time passes', (clock) => clock.advance(tenMinutesMs)],
  [
    'the clock is set back meanwhile',
    (clock) => (clock.advance(tenMinutesMs), clock.setForward(-tenMinutesMs)),
  ],
  ['the clock is set back by a day', (clock) => (clock.setForward(-86_400_000), clock.advance(tenMinutesMs))],
])('an approval that could not be sent for ten minutes is not sent: %s', async (_what, pass) => {
  const world = await createWorld();
  const { proposal, cid } = await proposeBid(world);
  const before = await campaignNow(world, cid);
  const display = await world.look(proposal.id);
  world.service.faults.arm({
    kind: 'meanwhile',
    method: 'GET',
    path: `/${cid}`,
    run: () => pass(world.clock),
  });
  const { proposal: ended } = await world.approve(display);
  expect(ended).toMatchObject({
    state: 'expired',
    outcome: { code: 'not_sent_in_time' },
    canPrepareAgain: true,
  });
  expect(world.puts()).toBe(0);
  expect(await campaignNow(world, cid)).toEqual(before);
});
