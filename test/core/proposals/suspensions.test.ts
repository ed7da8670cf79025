import { expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import { changeElsewhere, createWorld, findCampaign, type World } from './world.ts';

async function warningOf(world: World, proposal: ProposalView): Promise<string | undefined> {
  const { warnings } = await world.core.handlers['proposals.get']({ id: proposal.id });
  return warnings.find(({ code }) => code === 'activates_suspended')?.text;
}

function propose(world: World, cids: number[], status: number): Promise<ProposalView> {
  return world.core.handlers['campaigns.proposeStatus']({ cids, status });
}

async function suspend(world: World, cids: number[]): Promise<void> {
  const { proposal } = await world.approve(await world.look((await propose(world, cids, 2)).id));
  expect(proposal.state).toBe('verified');
}

async function runningCids(world: World, count: number): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data
    .filter(({ status }) => status === 1)
    .slice(0, count)
    .map(({ cid }) => cid);
}

test('an activation says when you suspended the campaign, by status and by a full update, also after a restart', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [cid = 0] = await runningCids(world, 1);
  await suspend(world, [cid]);
  const text = /^You suspended it on \d+ [A-Z][a-z]{2} \d{4}\. Activating brings it back\.$/;
  const byStatus = await propose(world, [cid], 1);
  expect(await warningOf(world, byStatus)).toMatch(text);
  const byUpdate = await world.core.handlers['campaigns.proposeUpdate']({
    cid,
    changes: [{ field: 'status', from: 2, to: 1 }],
  });
  expect(await warningOf(world, byUpdate)).toMatch(text);

  const again = await world.restart();
  expect(await warningOf(again, byStatus)).toMatch(text);
  expect(await warningOf(again, await propose(again, [cid], 1))).toMatch(text);
});

test('what a second client suspended was not suspended through this app, also after this app changed it before', async () => {
  const world = await createWorld({ campaigns: 60 });
  const notOurs =
    'The campaign is Suspended. It was not suspended through this app. Activating brings it back.';
  const { cid } = await findCampaign(world, ({ status }) => status === 2);
  expect(await warningOf(world, await propose(world, [cid], 1))).toBe(notOurs);

  const [paused = 0] = await runningCids(world, 1);
  await world.approve(await world.look((await propose(world, [paused], 3)).id));
  await changeElsewhere(world, paused, { status: 2 });
  expect(await warningOf(world, await propose(world, [paused], 1))).toBe(notOurs);
});

test('several suspended campaigns are counted by who suspended them', async () => {
  const world = await createWorld({ campaigns: 60 });
  const { cid: elsewhere } = await findCampaign(world, ({ status }) => status === 2);
  const mine = await runningCids(world, 2);
  await suspend(world, mine);
  expect(await warningOf(world, await propose(world, [...mine, elsewhere], 1))).toBe(
    '3 campaigns are Suspended: 2 by you, 1 not through this app. Activating brings them back.',
  );
});

test('the words of a proposal stay as they were when it was made', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [cid = 0] = await runningCids(world, 1);
  await suspend(world, [cid]);
  const first = await propose(world, [cid], 1);
  const words = await warningOf(world, first);
  await world.approve(await world.look((await propose(world, [cid], 1)).id));
  expect(await warningOf(world, first)).toBe(words);
});
