import { expect, test } from 'vitest';
import type { AppOutput } from '#shared/app-api/index.ts';
import { createDecisions, createNetEffect } from '#core/proposals/index.ts';
import { codex, createAgentWorld, prepareBid, type AgentWorld } from '../tool-call/agent-world.ts';
import { createWorld, findCampaign, proposeBid, type World } from '../world.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

type Decisions = AppOutput<'ledger.decisions'>;

const dayMs = 24 * 60 * 60_000;

function decisionsOf(world: World, sinceMs = 0): Promise<Decisions> {
  return world.core.handlers['ledger.decisions']({ sinceMs });
}

function countsOfAgents({ store, connection }: AgentWorld): Promise<Decisions> {
  return createDecisions({ store, connections: { current: () => connection } })({ sinceMs: 0 });
}

const approve = async (world: World, id: string): Promise<void> => {
  const { proposal } = await world.approve(await world.look(id));
  expect(proposal.state).toMatch(/verified|done/);
};

const deny = async (world: World, id: string): Promise<void> => {
  await world.deny(await world.look(id), 'No');
};

test('decisions are counted by service day and by the kinds of risk that they warned of', async () => {
  const world = await createWorld();
  const first = await proposeBid(world, 1.1);
  await approve(world, first.proposal.id);
  const tenfold = await proposeBid(world, 10, first.cid);
  expect(tenfold.proposal.warnings.map(({ code }) => code)).toContain('bid_tenfold');
  await deny(world, tenfold.proposal.id);
  const ofFirstDay = await decisionsOf(world);
  expect(ofFirstDay.total).toEqual({ approved: 1, denied: 1, access: 0 });
  expect(ofFirstDay.days).toEqual([{ date: expect.any(String) as string, approved: 1, denied: 1 }]);
  expect(ofFirstDay.proposers).toEqual([
    { kind: 'person', name: 'You', agentId: null, approved: 1, denied: 1 },
  ]);
  expect(ofFirstDay.risks[0]).toMatchObject({ kind: 'money', denied: 1 });

  const nextDayMs = world.clock.nowMs() + dayMs;
  world.clock.advance(dayMs);
  await approve(world, (await proposeBid(world, 1.2, first.cid)).proposal.id);
  expect((await decisionsOf(world)).days.map(({ approved }) => approved)).toEqual([1, 1]);
  expect((await decisionsOf(world, nextDayMs)).total).toEqual({ approved: 1, denied: 0, access: 0 });
});

test('a batch is one decision, and each of its changes counts for its proposer', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const { cid: other } = await findCampaign(world, (row) => row.status === 1 && row.cid !== cid);
  const [one, two] = [await proposeBid(world, 1.1, cid), await proposeBid(world, 1.1, other)];
  const ids = [one.proposal.id, two.proposal.id];
  const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
  await approve(world, id);
  const found = await decisionsOf(world);
  expect(found.total).toEqual({ approved: 1, denied: 0, access: 0 });
  expect(found.proposers).toMatchObject([{ approved: 2, denied: 0 }]);
  await approve(world, (await world.core.handlers['proposals.undo']({ id: one.proposal.id })).id);
  expect((await decisionsOf(world)).reversed.items).toMatchObject([{ how: 'undone', id }]);
});

test('an undone change counts as taken back until its undo is undone', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  await approve(world, proposal.id);
  const { id: undo } = await world.core.handlers['proposals.undo']({ id: proposal.id });
  expect((await decisionsOf(world)).reversed.items).toEqual([]);
  await approve(world, undo);
  expect((await decisionsOf(world)).reversed).toMatchObject({
    count: { undone: 1, reversed: 0 },
    items: [{ id: proposal.id, title: proposal.title, how: 'undone', by: undo }],
  });
  const { id: again } = await world.core.handlers['proposals.undo']({ id: undo });
  await approve(world, again);
  expect((await decisionsOf(world)).reversed.items).toMatchObject([{ id: undo, by: again }]);
});

test('an emergency stop takes back no decision about the campaigns that it pauses, and resuming them takes back none', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  await approve(world, proposal.id);
  const { id: stop } = await world.core.handlers['emergencyStop.start']({});
  await approve(world, stop ?? '');
  expect((await decisionsOf(world)).reversed).toEqual({ count: { undone: 0, reversed: 0 }, items: [] });
  await approve(world, (await world.core.handlers['proposals.undo']({ id: stop ?? '' })).id);
  expect((await decisionsOf(world)).reversed.items).toEqual([]);
});

test('changes of agents are counted by agent, and those that a reversal took back are named', async () => {
  const world = await createAgentWorld();
  const { gate, store, ledger, connection } = world;
  const { request } = await prepareBid(world);
  const { id } = await gate.agents.propose(request);
  await world.approve(id);
  const refused = await prepareBid(world);
  const { id: second } = await gate.agents.propose({ ...refused.request, agent: codex });
  await world.deny(second, null);
  expect((await countsOfAgents(world)).proposers).toEqual([
    { kind: 'agent', name: 'Codex', agentId: codex.id, approved: 0, denied: 1 },
    { kind: 'agent', name: 'Claude Code', agentId: request.agent.id, approved: 1, denied: 0 },
  ]);

  const netEffect = createNetEffect({
    store,
    ledger,
    connections: { current: () => connection },
    gate,
    formats: () => defaultFormats,
  });
  const { id: reversal } = await netEffect.reverse({ agentId: null, sinceMs: 0 });
  expect((await countsOfAgents(world)).reversed.items).toEqual([]);
  await world.approve(reversal);
  expect((await countsOfAgents(world)).reversed).toMatchObject({
    count: { undone: 0, reversed: 1 },
    items: [{ id, how: 'reversed', by: reversal }],
  });
});

test('the kinds of risk of a decision stay known when its details are removed', async () => {
  const world = await createWorld();
  const tenfold = await proposeBid(world, 10);
  await deny(world, tenfold.proposal.id);
  world.clock.advance(8 * dayMs);
  await world.core.handlers['ledger.setRetentionDays']({ days: 7 });
  const pruned = async () =>
    (await world.core.handlers['proposals.get']({ id: tenfold.proposal.id })).prunedAtMs;
  await expect.poll(pruned).not.toBeNull();
  expect((await decisionsOf(world)).risks[0]).toMatchObject({ kind: 'money', denied: 1 });
});
