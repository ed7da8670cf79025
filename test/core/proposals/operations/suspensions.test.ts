import { expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import { callOf, claude, createAgentWorld, prepare } from '../tool-call/agent-world.ts';
import { changeElsewhere, createWorld, findCampaign, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

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

test('an activation says when the user suspended the campaign, even after a restart', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [cid = 0] = await runningCids(world, 1);
  await suspend(world, [cid]);
  const text = /^You suspended it on \d+ [A-Z][a-z]{2} \d{4}\. Activating brings it back\.$/;
  const byStatus = await propose(world, [cid], 1);
  expect(await warningOf(world, byStatus)).toMatch(text);
  const byUpdate = await proposeUpdate(world.core.handlers, {
    cid,
    changes: [{ field: 'status', from: 2, to: 1 }],
  });
  expect(await warningOf(world, byUpdate)).toMatch(text);

  const again = await world.restart();
  expect(await warningOf(again, byStatus)).toMatch(text);
  expect(await warningOf(again, await propose(again, [cid], 1))).toMatch(text);
});

test('a campaign that a second client suspended is described as not suspended through this app', async () => {
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

test('the text of a proposal stays as it was when the proposal was made', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [cid = 0] = await runningCids(world, 1);
  await suspend(world, [cid]);
  const first = await propose(world, [cid], 1);
  const words = await warningOf(world, first);
  await world.approve(await world.look((await propose(world, [cid], 1)).id));
  expect(await warningOf(world, first)).toBe(words);
});

test('a selection is grouped by status and by how it was stopped, with this app’s pauses first', async () => {
  const world = await createWorld({ campaigns: 60 });
  const mine = await runningCids(world, 4);
  const [removed = 0, ...paused] = mine;
  await suspend(world, [removed]);
  await world.approve(await world.look((await propose(world, paused, 3)).id));
  const [again = 0] = paused;
  await changeElsewhere(world, again, { status: 1 });
  await changeElsewhere(world, again, { status: 2 });
  const { cid: elsewhere } = await findCampaign(
    world,
    ({ cid, status }) => status === 3 && !paused.includes(cid),
  );
  const { cid: pending } = await findCampaign(world, ({ status }) => status === 0);
  const { groups } = await world.core.handlers['campaigns.statusGroups']({
    cids: [pending, elsewhere, ...mine],
  });
  const you = { kind: 'app', by: { kind: 'person', name: 'You' }, lastAtMs: expect.any(Number) as number };
  expect(groups).toEqual([
    { status: 3, origin: you, cids: paused.slice(1) },
    { status: 3, origin: { kind: 'elsewhere' }, cids: [elsewhere] },
    { status: 2, origin: you, cids: [removed] },
    { status: 2, origin: { kind: 'elsewhere' }, cids: [again] },
    { status: 0, origin: null, cids: [pending] },
  ]);
  await expect(world.core.handlers['campaigns.statusGroups']({ cids: [999_999] })).rejects.toMatchObject({
    code: 'campaign_not_found',
  });
});

test('an activation of paused campaigns counts those paused here and those paused elsewhere', async () => {
  const world = await createWorld({ campaigns: 60 });
  const mine = await runningCids(world, 2);
  const { cid: elsewhere } = await findCampaign(world, ({ status }) => status === 3);
  await world.approve(await world.look((await propose(world, mine, 3)).id));
  const mixed = async (cids: number[]): Promise<string | undefined> =>
    (await propose(world, cids, 1)).warnings.find(({ code }) => code === 'mixed_statuses')?.text;
  expect(await mixed([...mine, elsewhere])).toBe(
    'They were stopped in different ways: 2 Paused by you; 1 Paused, not through this app.',
  );
  expect(await mixed(mine)).toBeUndefined();
});

test('a suspension by an agent names the agent, and the agent’s name cannot mislead', async () => {
  const world = await createAgentWorld({ campaigns: 24 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const { cid = 0 } = data.find(({ status }) => status === 1) ?? {};
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', {
    cid,
    changes: { status: 2 },
  });
  const call = callOf('svc_commit', args, { prepared, agent: { ...claude, name: 'you”' } });
  const suspension = await world.gate.agents.propose(call);
  expect(await world.approve(suspension.id)).toMatchObject({ state: 'verified' });
  const { warnings } = await world.gate.proposeStatus({ cids: [cid], status: 1 });
  const { text } = warnings.find(({ code }) => code === 'activates_suspended') ?? {};
  expect(text).toMatch(
    /^Agent “you[^”]*” suspended it on \d+ [A-Z][a-z]{2} \d{4}\. Activating brings it back\.$/,
  );
});
