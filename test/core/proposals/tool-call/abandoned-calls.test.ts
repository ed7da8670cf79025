import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
import { callOf, claude, codex, createAgentWorld, prepareBid, type AgentWorld } from './agent-world.ts';
import { failChangesOf } from '#test/servers/stored-rows.ts';
import { eventually } from '#test/setup/eventually.ts';

const stateOf = (world: AgentWorld, id: string): string => world.gate.get(id).state;

function propose(world: AgentWorld, more: Parameters<typeof callOf>[2] = {}, key?: string) {
  const args = key === undefined ? {} : { idempotencyKey: key };
  return world.gate.agents.propose(callOf('svc_any', args, more));
}

test('a proposal is withdrawn when its agent disconnects during the call, and a later approval sends nothing', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  await world.gate.review(id);
  world.gate.agents.abandon(id);
  await turn();
  expect(world.gate.get(id)).toMatchObject({
    state: 'withdrawn',
    outcome: { code: 'proposal_withdrawn', message: 'The agent left before a decision. Nothing was sent.' },
  });
  expect(world.hidden).toHaveLength(1);
  await expect(world.approve(id)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('an approval that arrives while the agent disconnects sends nothing', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const display = await world.look(id);
  world.gate.agents.abandon(id);
  await expect(world.decide(display, { decision: 'approve', reason: null })).rejects.toMatchObject({
    code: 'proposal_not_waiting',
  });
  expect(stateOf(world, id)).toBe('withdrawn');
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('a proposal with a receipt survives the end of its call until it expires', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world);
  world.gate.agents.giveReceipt(id);
  world.gate.agents.abandon(id);
  await turn();
  expect(stateOf(world, id)).toBe('proposed');
  world.clock.advance(defaultWaitingMinutes * 60_000);
  expect(stateOf(world, id)).toBe('expired');
});

test('two calls with one key share a proposal, which is withdrawn when both calls have ended', async () => {
  const world = await createAgentWorld();
  const [{ id }] = await Promise.all([propose(world, {}, 'k'), propose(world, {}, 'k')]);
  world.gate.agents.abandon(id);
  await turn();
  expect(stateOf(world, id)).toBe('proposed');
  world.gate.agents.abandon(id);
  await turn();
  expect(stateOf(world, id)).toBe('withdrawn');
});

test('a call that repeats the key of a call that is just ending keeps the proposal waiting', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world, {}, 'k');
  world.gate.agents.abandon(id);
  expect(await propose(world, {}, 'k')).toMatchObject({ id, state: 'proposed' });
  await turn();
  expect(stateOf(world, id)).toBe('proposed');
  world.gate.agents.abandon(id);
  await turn();
  expect(stateOf(world, id)).toBe('withdrawn');
});

test('the proposals of fifty calls that end at once are withdrawn, and one that cannot be recorded is withdrawn at the next start', async () => {
  const world = await createAgentWorld();
  const all = await Promise.all(Array.from({ length: 50 }, () => propose(world)));
  const stuck = all[30]?.id ?? '';
  const heal = failChangesOf(join(world.store.folder, 'countersign.sqlite'), stuck);
  for (const { id } of all) world.gate.agents.abandon(id);
  await eventually(() => expect(world.store.proposals.countUndecided()).toBe(1));
  heal();
  const waiting = all.filter(({ id }) => stateOf(world, id) !== 'withdrawn');
  expect(waiting.map(({ id }) => id)).toEqual([stuck]);
  const restarted = await world.restart();
  expect(stateOf(restarted, stuck)).toBe('withdrawn');
  expect(await restarted.ledger.verify()).toMatchObject({ state: 'verified' });
});

test('a proposal that was just abandoned when the program ends is withdrawn before the program ends', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world);
  world.gate.agents.abandon(id);
  const restarted = await world.restart();
  expect(restarted.gate.get(id).outcome?.message).toBe('The agent left before a decision. Nothing was sent.');
});

test('the end of a session withdraws all of its waiting proposals, including those with receipts, and none of another session', async () => {
  const world = await createAgentWorld();
  const mine = await propose(world);
  const other = await propose(world, { sessionId: 'session-2' });
  world.gate.agents.giveReceipt(mine.id);
  world.gate.agents.endSession('session-1');
  await turn();
  expect(stateOf(world, mine.id)).toBe('withdrawn');
  expect(stateOf(world, other.id)).toBe('proposed');
});

test('the end of a session withdraws a proposal that has an older receipt and an open call', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world, {}, 'k');
  world.gate.agents.giveReceipt(id);
  await propose(world, {}, 'k');
  world.gate.agents.endSession('session-1');
  world.gate.agents.abandon(id);
  await turn();
  expect(stateOf(world, id)).toBe('withdrawn');
});

test('a proposal whose call was repeated in another session is withdrawn only when that session ends', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world, {}, 'k');
  world.gate.agents.giveReceipt(id);
  await propose(world, { sessionId: 'session-2' }, 'k');
  world.gate.agents.endSession('session-1');
  await turn();
  expect(stateOf(world, id)).toBe('proposed');
  world.gate.agents.giveReceipt(id);
  world.gate.agents.endSession('session-2');
  await turn();
  expect(stateOf(world, id)).toBe('withdrawn');
});

test('the end of a session keeps a proposal that a call of another session waits for', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world, { sessionId: 'session-2' }, 'k');
  await propose(world, {}, 'k');
  world.gate.agents.giveReceipt(id);
  world.gate.agents.endSession('session-1');
  await turn();
  expect(stateOf(world, id)).toBe('proposed');
});

test('one proposal that cannot be withdrawn does not keep others from being withdrawn', async () => {
  const world = await createAgentWorld();
  const [stuck, other] = [await propose(world), await propose(world)];
  const heal = failChangesOf(join(world.store.folder, 'countersign.sqlite'), stuck.id);
  expect(() => world.gate.agents.withdrawAll(null, 'agents_frozen')).toThrow('The disk failed');
  expect([stuck, other].map(({ id }) => stateOf(world, id))).toEqual(['proposed', 'withdrawn']);
  heal();
});

test('all proposals of one agent, or of every agent, can be withdrawn with a reason, and those of persons stay', async () => {
  const world = await createAgentWorld();
  const { cid } = await prepareBid(world);
  const person = await world.gate.proposeStatus({ cids: [cid], status: 3 });
  const [mine, theirs] = [await propose(world), await propose(world, { agent: codex })];
  world.gate.agents.withdrawAll(claude.id, 'proposal_withdrawn');
  expect([mine, theirs].map(({ id }) => stateOf(world, id))).toEqual(['withdrawn', 'proposed']);
  world.gate.agents.withdrawAll(null, 'agents_frozen');
  expect(world.gate.get(theirs.id)).toMatchObject({ state: 'withdrawn', outcome: { code: 'agents_frozen' } });
  expect(stateOf(world, person.id)).toBe('proposed');
});

test('a restart withdraws proposals of open calls and keeps those with receipts, for their own agent only', async () => {
  const world = await createAgentWorld();
  const [open, kept] = [await propose(world), await propose(world)];
  world.gate.agents.giveReceipt(kept.id);
  const restarted = await world.restart();
  expect(stateOf(restarted, open.id)).toBe('withdrawn');
  expect(restarted.gate.agents.find(claude.id, kept.id)).toMatchObject({ state: 'proposed' });
  expect(() => restarted.gate.agents.find(codex.id, kept.id)).toThrow(
    expect.objectContaining({ code: 'proposal_not_found' }),
  );
});

test('a waiting call learns the end and its reason at once, or the current status when it stops waiting', async () => {
  const world = await createAgentWorld();
  const { id } = await propose(world);
  const stop = new AbortController();
  const short = world.gate.agents.untilSettled(id, stop.signal);
  const long = world.gate.agents.untilSettled(id, new AbortController().signal);
  stop.abort();
  expect(await short).toMatchObject({ state: 'proposed' });
  await world.deny(id, 'Too much.');
  expect(await long).toMatchObject({ state: 'denied', reason: 'Too much.' });
  expect(await world.gate.agents.untilSettled(id, new AbortController().signal)).toMatchObject({
    state: 'denied',
  });
  await expect(world.gate.agents.untilSettled('nobody', stop.signal)).rejects.toMatchObject({
    code: 'proposal_not_found',
  });
});

test('a prepared change waits as long as any other and cannot be approved in the last thirty seconds of its approval', async () => {
  const world = await createAgentWorld();
  const nowMs = world.clock.nowMs();
  const { request } = await prepareBid(world);
  const until = (endsAtMs: number) => ({ payload: request.args['payload'] ?? null, changes: null, endsAtMs });
  const soon = await world.gate.agents.propose({ ...request, prepared: until(nowMs + 90_000) });
  expect(soon).toMatchObject({
    approvalEndsAtMs: nowMs + 60_000,
    expiresAtMs: nowMs + defaultWaitingMinutes * 60_000,
  });
  const none = {
    ...request,
    args: { ...request.args, idempotencyKey: 'another' },
    prepared: until(nowMs + 30_000),
  };
  await expect(world.gate.agents.propose(none)).rejects.toMatchObject({ code: 'approval_invalid' });
  const display = await world.look(soon.id);
  world.clock.advance(60_000);
  await expect(world.decide(display, { decision: 'approve', reason: null })).rejects.toMatchObject({
    code: 'approval_ended',
  });
  expect(stateOf(world, soon.id)).toBe('shown');
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});
