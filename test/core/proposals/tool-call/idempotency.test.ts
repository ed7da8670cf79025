import { expect, test, vi } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { callOf, codex, createAgentWorld, prepareBid } from './agent-world.ts';

test('twenty simultaneous calls with one key make one proposal, one write and one answer', async () => {
  const world = await createAgentWorld();
  const { agents } = world.gate;
  const { request } = await prepareBid(world);
  const calls = await Promise.all(Array.from({ length: 20 }, () => agents.propose(request)));
  const [id, ...more] = new Set(calls.map((proposal) => proposal.id));
  expect(more).toEqual([]);
  expect(world.store.proposals.countUndecided()).toBe(1);

  const ended = world.gate.agents.untilSettled(id ?? '', new AbortController().signal);
  await world.approve(id ?? '');
  expect(await ended).toMatchObject({ state: 'verified' });
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
  // A repeated request is the same proposal with its answer, whatever the agent states about its own confirmation.
  const again = await agents.propose({ ...request, args: { ...request.args, confirmed: false } });
  expect(again).toMatchObject({ id, state: 'verified' });
  // `confirmed` is true because of the person who confirms. The person sees exactly the payload that will be sent.
  expect(again.payload).toContain('"confirmed":true');
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
});

test('a key is valid for one request of one agent', async () => {
  const world = await createAgentWorld();
  const { agents } = world.gate;
  const first = await agents.propose(callOf('svc_any', { idempotencyKey: 'k', x: 1 }));
  const conflict = { code: 'idempotency_conflict' };
  await expect(agents.propose(callOf('svc_any', { idempotencyKey: 'k', x: 2 }))).rejects.toMatchObject(
    conflict,
  );
  await expect(agents.propose(callOf('svc_other', { idempotencyKey: 'k', x: 1 }))).rejects.toMatchObject(
    conflict,
  );
  const same = await agents.propose(callOf('svc_any', { x: 1, idempotencyKey: 'k' }));
  expect(same.id).toBe(first.id);
  const others = await agents.propose(callOf('svc_any', { idempotencyKey: 'k', x: 1 }, { agent: codex }));
  expect(others.id).not.toBe(first.id);
  const [one, two] = [
    await agents.propose(callOf('svc_any', {})),
    await agents.propose(callOf('svc_any', {})),
  ];
  expect(one.id).not.toBe(two.id);
});

test('a call that a guardrail refuses leaves no proposal, no ledger row and no key', async () => {
  let frozen = true;
  const asked: unknown[] = [];
  const world = await createAgentWorld({
    guard: {
      assertMaySend() {},
      assertAllowed({ proposer, draft, words }) {
        asked.push([proposer.proposedBy.agentId, draft.operation, words.changes.length]);
        if (frozen) throw new AppError('agents_frozen');
      },
    },
  });
  const { request } = await prepareBid(world);
  const rows = () =>
    world.ledger.list({ beforeSeq: null, limit: 50, filter: { ...everyRow, proposalId: null } }).total;
  const before = rows();
  await expect(world.gate.agents.propose(request)).rejects.toMatchObject({ code: 'agents_frozen' });
  expect(asked).toEqual([['agent-1', 'tool.call', 1]]);
  expect(world.store.proposals.countUndecided()).toBe(0);
  expect(rows()).toBe(before);
  frozen = false;
  await expect(world.gate.agents.propose(request)).resolves.toMatchObject({ state: 'proposed' });
});

test('a key can be used again if its call did not become a proposal', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { agents } = world.gate;
  await expect(
    agents.propose({
      ...request,
      prepared: { payload: {}, changes: null, endsAtMs: Number.MAX_SAFE_INTEGER },
    }),
  ).rejects.toMatchObject({ code: 'prepared_differs' });
  await expect(agents.propose(request)).resolves.toMatchObject({ state: 'proposed' });
});

test('after a restart, a call with a used key gets the stored answer and sends nothing', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  await world.approve(id);
  const answer = world.gate.agents.answerOf(id);
  expect(answer).not.toBeNull();

  const restarted = await world.restart();
  expect(await restarted.gate.agents.propose(request)).toMatchObject({ id, state: 'verified' });
  expect(restarted.gate.agents.answerOf(id)).toEqual(answer);
  expect(restarted.wire.callsOf('svc_commit')).toEqual([]);
  const other = { ...request, args: { ...request.args, fingerprint: 'other' } };
  await expect(restarted.gate.agents.propose(other)).rejects.toMatchObject({ code: 'idempotency_conflict' });
});

test('a flood of calls reads the service only for as many calls as may wait', async () => {
  const world = await createAgentWorld();
  const reads = vi.spyOn(world.connection.campaigns, 'get');
  const flood = Array.from({ length: 150 }, (_, call) =>
    world.gate.agents.propose(callOf('svc_any', { cid: 900_000, call })),
  );
  const results = await Promise.allSettled(flood);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  expect(reads).toHaveBeenCalledTimes(60);
});
