import { expect, test } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import {
  callOf,
  campaignNow,
  claude,
  createAgentWorld,
  prepare,
  type AgentWorld,
  type AgentWorldOptions,
} from './agent-world.ts';

const namesake = { ...claude, id: 'agent-2' };

/** Lowers the bids of `count` campaigns, alternating between the agents. Returns the bids before. */
async function takeTurns(world: AgentWorld, count: number, keyOf = (at: number) => `key-${at}`) {
  const { data } = await world.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const rows = data.filter(({ status, payout }) => status === 1 && payout < 1).slice(0, count);
  const members = [];
  for (const [at, { cid, payout }] of rows.entries()) {
    const changes = { payout: Number((payout * 0.9).toFixed(6)) };
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes });
    const agent = at % 2 === 0 ? claude : namesake;
    const call = callOf('svc_commit', { ...args, idempotencyKey: keyOf(at) }, { agent, prepared });
    const { id } = await world.gate.agents.propose(call);
    members.push({ id, cid, payout, lowered: changes.payout });
  }
  return members;
}

test('two agents with equal names and equal keys have separate proposals, even in one batch', async () => {
  const world = await createAgentWorld({ campaigns: 24 });
  const { gate } = world;
  const [mine, theirs, again] = await takeTurns(world, 3, (at) => `key-${at - (at % 2)}`);
  expect(new Set([mine?.id, theirs?.id, again?.id])).toHaveProperty('size', 3);
  expect(gate.agents.find(claude.id, mine!.id)).toMatchObject({ state: 'proposed' });
  expect(() => gate.agents.find(namesake.id, mine!.id)).toThrow(AppError);

  const batch = await gate.proposeTogether([mine!.id, theirs!.id]);
  expect(batch.detail).toMatchObject({
    askedBy: [
      { kind: 'agent', name: 'Claude Code' },
      { kind: 'agent', name: 'Claude Code' },
    ],
  });
  gate.agents.withdrawAll(namesake.id, 'proposal_withdrawn');
  expect(gate.get(theirs!.id).state).toBe('withdrawn');
  expect(gate.get(again!.id).state).toBe('proposed');
  expect(await world.approve(mine!.id)).toMatchObject({ state: 'verified' });
  expect(await campaignNow(world, theirs!.cid)).toMatchObject({ payout: theirs!.payout });
});

test('the remaining writes of an agent that is revoked during a batch are not sent, and other agents’ writes are', async () => {
  let commits = (): number => 0;
  const guard: AgentWorldOptions['guard'] = {
    assertAllowed() {},
    assertMaySend({ proposer }) {
      const isRevoked = proposer.proposedBy.agentId === claude.id && commits() > 0;
      if (isRevoked) throw new AppError('agent_unknown');
    },
  };
  const world = await createAgentWorld({ campaigns: 24, guard });
  commits = () => world.wire.callsOf('svc_commit').length;
  const members = await takeTurns(world, 4);
  const batch = await world.gate.proposeTogether(members.map(({ id }) => id));
  expect(await world.approve(batch.id)).toMatchObject({ state: 'done' });
  expect(members.map(({ id }) => world.gate.get(id).state)).toEqual([
    'verified',
    'verified',
    'withdrawn',
    'verified',
  ]);
  const [, , stopped] = members;
  expect(world.gate.get(stopped!.id)).toMatchObject({ outcome: { code: 'agent_unknown' } });
  expect(await campaignNow(world, stopped!.cid)).toMatchObject({ payout: stopped!.payout });
  expect(commits()).toBe(3);
});
