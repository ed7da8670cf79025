import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { campaignNow, callOf, createAgentWorld, prepareBid, type AgentWorld } from './agent-world.ts';
import { eventually } from '#test/setup/eventually.ts';

const requestMs = 10_000;

function answerWith(world: AgentWorld, result: JsonObject): void {
  world.wire.answerNext = (body: string, response: ServerResponse) => {
    const { id } = JSON.parse(body) as { id: number };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

async function changeElsewhere(world: AgentWorld, cid: number, changes: JsonObject): Promise<void> {
  const campaign = await campaignNow(world, cid);
  await world.connection.member.update(cid, canonicalJson({ ...campaign, ...changes }));
}

const changeName = (world: AgentWorld, cid: number): Promise<void> =>
  changeElsewhere(world, cid, { name: 'Somebody else' });

function rowsOf(world: AgentWorld, proposalId: string) {
  return world.ledger.list({ beforeSeq: null, limit: 50, filter: { ...everyRow, proposalId } }).items;
}

test('a refusal by the service is shown in the service’s own words, and the agent gets the complete answer', async () => {
  const world = await createAgentWorld();
  const { request, cid } = await prepareBid(world);
  const args = { ...request.args, fingerprint: 'other' };
  const before = await campaignNow(world, cid);
  const { id } = await world.gate.agents.propose({ ...request, args });
  const ended = await world.approve(id);
  expect(ended).toMatchObject({ state: 'refused', outcome: { code: 'tool_refused' } });
  expect(ended.outcome?.message).toContain(
    'The service says: “The payload or fingerprint is not the prepared one.”',
  );
  expect(world.gate.agents.answerOf(id)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'approval_mismatch' } },
  });
  expect(await campaignNow(world, cid)).toEqual(before);
});

test('the ledger records the agent, the pinned tool, and the hashes of what was sent and answered', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  await world.approve(id);
  const rows = rowsOf(world, id);
  expect(rows.map(({ kind }) => kind).toReversed()).toEqual([
    'proposal.proposed',
    'proposal.shown',
    'proposal.approved',
    'write.intent',
    'write.sent',
    'write.verified',
  ]);
  const text = JSON.stringify(rows);
  expect(text).toContain(world.definitionHash);
  expect(text).toContain('agent-1');
  expect(text).toMatch(/answerHash\W+[0-9a-f]{64}/);
  expect(text).toMatch(/idempotencyKeyHash\W+[0-9a-f]{64}/);
  expect(text).not.toContain(String(request.args['idempotencyKey']));
  expect(text).not.toContain(String(request.args['approvalId']));
});

test('a changed campaign makes a call stale: the change is shown, and nothing is sent', async () => {
  const world = await createAgentWorld();
  const { request, cid } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  await changeName(world, cid);
  const ended = await world.approve(id);
  expect(ended).toMatchObject({ state: 'stale', outcome: { code: 'proposal_stale' }, replacedBy: null });
  expect(ended.outcome?.message).toBe(
    'The campaign changed after this was prepared: Name. Nothing was sent. The agent has to prepare it again.',
  );
  expect(ended.conflict).toEqual([expect.objectContaining({ field: 'name', theirs: 'Somebody else' })]);
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('another user’s change of the same field makes a call stale, and the agent has to prepare it again', async () => {
  const world = await createAgentWorld();
  const { request, cid, to } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  await changeElsewhere(world, cid, { payout: Number((to * 1.2).toFixed(3)) });
  const ended = await world.approve(id);
  expect(ended).toMatchObject({ state: 'stale', conflict: [{ field: 'payout' }] });
  expect(ended.outcome?.message).toContain('prepared: Bid. Nothing was sent. The agent has to prepare it');
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('a changed campaign makes a call stale even if the arguments name only the campaign', async () => {
  const world = await createAgentWorld();
  const { cid } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(callOf('svc_boost', { cid }));
  await changeName(world, cid);
  expect(await world.approve(id)).toMatchObject({ state: 'stale', conflict: [{ field: 'name' }] });
});

test('a tool whose definition changes during the read before sending is not called', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const display = await world.look(id);
  world.service.faults.arm({
    kind: 'meanwhile',
    method: 'GET',
    path: '/login/campaigns',
    run: () => (world.pinned.isPinned = false),
  });
  const decided = await world.decide(display, { decision: 'approve', reason: null });
  expect(decided).toMatchObject({ state: 'stale', outcome: { code: 'tool_held' } });
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('a commit whose answer is lost has an unknown outcome, is found stored by a read, and is never sent again', async () => {
  const world = await createAgentWorld({ requestMs });
  const { request, cid, to } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  world.wire.losesNext = 1;
  expect(await world.approve(id)).toMatchObject({ state: 'unknown', outcome: { code: 'outcome_unknown' } });
  await eventually(() => expect(world.gate.get(id).state).toBe('verified'));
  expect(await campaignNow(world, cid)).toMatchObject({ payout: to });
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
  expect(world.gate.agents.answerOf(id)).toBeNull();
});

test('a call that no read can settle stays unknown, says so after a while, and locks no campaign', async () => {
  const world = await createAgentWorld({ requestMs });
  const { cid } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(callOf('svc_boost', { cid }));
  world.wire.answerNext = (_body, response) => void response.destroy();
  expect(await world.approve(id)).toMatchObject({ state: 'unknown', outcome: { code: 'outcome_unknown' } });
  const pause = () => world.gate.proposeStatus({ cids: [cid], status: 3 });
  await expect(pause()).rejects.toMatchObject({ code: 'campaign_locked' });

  world.clock.advance(2 * requestMs);
  const settled = await world.gate.settle(id);
  expect(settled).toMatchObject({ state: 'unknown', outcome: { code: 'outcome_unknowable' } });
  await expect(pause()).resolves.toMatchObject({ state: 'proposed' });
  const past = world.gate.list({ which: 'past', before: null, limit: 10 });
  expect(past.items.map((item) => item.id)).toContain(id);
  const rows = rowsOf(world, id).length;
  await world.gate.settle(id);
  expect(rowsOf(world, id)).toHaveLength(rows);
  expect(world.wire.callsOf('svc_boost')).toHaveLength(1);
});

test.each<[string, JsonObject, object]>([
  ['reports that the call was done', { status: 'completed' }, { state: 'done', outcome: null }],
  [
    'reports that a part of the call was done',
    { status: 'partial' },
    { state: 'differs', outcome: { code: 'stored_differently' } },
  ],
])('if nothing can be read back, a service is believed that %s', async (_what, data, end) => {
  const world = await createAgentWorld();
  const { id } = await world.gate.agents.propose(callOf('svc_any', { x: 1 }));
  answerWith(world, { content: [], structuredContent: { status: 'success', data } });
  expect(await world.approve(id)).toMatchObject(end);
});

test('a call may have been executed if the service failed, so a read decides', async () => {
  const world = await createAgentWorld({ requestMs });
  const { request, cid } = await prepareBid(world);
  const before = await campaignNow(world, cid);
  const { id } = await world.gate.agents.propose(request);
  answerWith(world, {
    content: [{ type: 'text', text: 'Failed.' }],
    isError: true,
    structuredContent: { status: 'error', error: { statusCode: 500, message: 'Failed.' } },
  });
  expect(await world.approve(id)).toMatchObject({ state: 'unknown' });
  expect(world.gate.agents.answerOf(id)).toMatchObject({ isError: true });
  // A read that began before this moment does not count.
  await world.gate.settle(id);
  world.clock.advance(2 * requestMs);
  expect(await world.gate.settle(id)).toMatchObject({ outcome: { code: 'write_not_stored' } });
  expect(await campaignNow(world, cid)).toEqual(before);
});

test('another credential in the service’s refusal appears in no outcome and no ledger row', async () => {
  const world = await createAgentWorld();
  const { id } = await world.gate.agents.propose(callOf('svc_any', {}));
  const key = `pk_${'a1'.repeat(20)}`;
  answerWith(world, { content: [{ type: 'text', text: `Not the key ${key}` }], isError: true });
  const ended = await world.approve(id);
  expect(ended.outcome?.message).toContain('“Not the key [redacted]”');
  expect(JSON.stringify([ended, rowsOf(world, id)])).not.toContain(key);
});

test('a token of this app in the service’s answer appears in no outcome, no answer and no record', async () => {
  const world = await createAgentWorld();
  const token = await world.connection.access.token();
  const { id } = await world.gate.agents.propose(callOf('svc_any', {}));
  answerWith(world, { content: [{ type: 'text', text: `Token ${token} is wrong` }], isError: true });
  const ended = await world.approve(id);
  expect(ended.outcome?.message).toContain('“Token [redacted] is wrong”');
  const reported = [ended, world.gate.agents.answerOf(id), rowsOf(world, id)];
  expect(JSON.stringify(reported)).not.toContain(token);
});
