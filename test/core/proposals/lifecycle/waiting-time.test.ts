import { expect, test } from 'vitest';
import { shareOf } from '#core/proposals/proposing/proposing.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { maxWaitingMinutes, minWaitingMinutes, defaultWaitingMinutes } from '#shared/proposals/states.ts';
import { callOf, claude, codex, createAgentWorld } from '../tool-call/agent-world.ts';
import { createWorld, proposeBid } from '../world.ts';

test('a change waits for one day by default, and for the time that the person sets within limits', async () => {
  const world = await createWorld();
  const { handlers } = world.core;
  expect(await handlers['proposals.waitingTime']({})).toEqual({ minutes: defaultWaitingMinutes });
  const first = await proposeBid(world);
  expect(first.proposal.expiresAtMs - first.proposal.createdAtMs).toBe(24 * 60 * 60_000);

  await handlers['proposals.setWaitingTime']({ minutes: 60 });
  const second = await proposeBid(world, 1.2);
  expect(second.proposal.expiresAtMs - second.proposal.createdAtMs).toBe(60 * 60_000);
  expect((await handlers['proposals.get']({ id: first.proposal.id })).expiresAtMs).toBe(
    first.proposal.expiresAtMs,
  );
  const { items } = await handlers['ledger.list']({ beforeSeq: null, limit: 50, filter: everyRow });
  expect(items).toContainEqual(
    expect.objectContaining({
      kind: 'waiting.changed',
      actor: 'You',
      summary: 'Changes wait 1 hour for a decision',
    }),
  );
  for (const minutes of [minWaitingMinutes - 1, maxWaitingMinutes + 1, 0.5, Number.NaN]) {
    await expect(handlers['proposals.setWaitingTime']({ minutes })).rejects.toMatchObject({
      code: 'bad_input',
    });
  }
  const again = await world.restart();
  expect(await again.core.handlers['proposals.waitingTime']({})).toEqual({ minutes: 60 });
});

test('each agent may fill an equal share of the queue, at least ten places and never all of them', () => {
  expect([0, 1, 2, 3, 9, 30].map(shareOf)).toEqual([60, 60, 45, 30, 10, 10]);
});

test('an agent that filled its share of the queue is refused with a remedy, while other agents and the person can still propose', async () => {
  const world = await createAgentWorld();
  const propose = (agent: typeof claude) => world.gate.agents.propose(callOf('svc_any', {}, { agent }));
  for (let at = 0; at < shareOf(1); at += 1) await propose(claude);
  await expect(propose(claude)).rejects.toMatchObject({
    code: 'too_many_waiting',
    message: expect.stringMatching(/all of its 60 places .* A person has to decide on some of them first/),
  });
  await expect(propose(codex)).resolves.toMatchObject({ state: 'proposed' });
  const { data } = await world.connection.member.list({ page: 1, perPage: 5, sort: 'cid', order: 'asc' });
  const [row] = data;
  await expect(
    world.gate.proposeStatus({ cids: [row?.cid ?? 0], status: row?.status === 2 ? 3 : 2 }),
  ).resolves.toMatchObject({ state: 'proposed' });
});

test('agents together never fill the places that are reserved for the person', async () => {
  const world = await createAgentWorld();
  const agents = Array.from({ length: 3 }, (_, at) => ({ ...claude, id: `agent-${at}` }));
  let refusals = 0;
  for (const agent of agents) {
    for (let at = 0; at < 40; at += 1) {
      await world.gate.agents.propose(callOf('svc_any', {}, { agent })).catch(() => (refusals += 1));
    }
  }
  expect(refusals).toBe(30);
  expect(world.store.proposals.countUndecidedBySide()).toEqual({ agents: 90, drafts: 0, own: 0 });
});
