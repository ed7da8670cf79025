import { cpSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { DecisionResult } from '#shared/host-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { createAgentWorld, prepareBid, type AgentWorld } from '../tool-call/agent-world.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../world.ts';
import { eventually } from '#test/setup/eventually.ts';

/** The service's `Retry-After` with a 429, and the maximum that the client adds to it. */
const pauseMs = 2_000;

const get = (world: World, id: string) => world.core.handlers['proposals.get']({ id });

function refuseNext(world: World, times = 1): void {
  for (let count = 0; count < times; count += 1) {
    world.service.faults.arm({ kind: 'answer', status: 429, method: 'PUT' });
  }
}

/** Approves a write that gets 429 and waits to be sent again. */
async function waitingWrite(world: World): Promise<{
  id: string;
  cid: number;
  to: number;
  deciding: Promise<DecisionResult>;
}> {
  const { proposal, cid, to } = await proposeBid(world);
  const display = await world.look(proposal.id);
  refuseNext(world);
  const deciding = world.approve(display);
  await untilItWaits(world, proposal.id);
  return { id: proposal.id, cid, to, deciding };
}

async function untilItWaits(world: World, id: string): Promise<void> {
  await eventually(async () => {
    expect(await get(world, id)).toMatchObject({ state: 'intent', outcome: { code: 'write_waits' } });
  });
}

async function kinds(world: World, proposalId: string): Promise<string[]> {
  const asked = { beforeSeq: null, limit: 100, filter: { ...everyRow, proposalId } };
  const { items } = await world.core.handlers['ledger.list'](asked);
  return items.map(({ kind }) => kind).toReversed();
}

test('a write that the service refuses with 429 waits as long as the service asks, reports the wait, and is sent again', async () => {
  const world = await createWorld();
  const { id, cid, to, deciding } = await waitingWrite(world);
  const { outcome } = await get(world, id);
  expect(outcome).toMatchObject({ next: 'Wait. Nothing is stored yet.' });
  expect(outcome?.message).toMatch(
    /^The service takes no more requests for now\. The change is sent again in [12] s\.$/,
  );
  expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBe(id);
  world.clock.advance(900);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(world.puts()).toBe(1);
  world.clock.advance(pauseMs);
  expect((await deciding).proposal).toMatchObject({ state: 'verified', outcome: null });
  expect(await campaignNow(world, cid)).toMatchObject({ payout: to });
  expect(world.puts()).toBe(2);
  expect((await kinds(world, id)).slice(3)).toEqual([
    'write.intent',
    'write.waits',
    'write.intent',
    'write.sent',
    'write.verified',
  ]);
});

test('a batch continues after a member that had to wait', async () => {
  const world = await createWorld();
  const { data } = await world.other.list({ page: 1, perPage: 50 });
  const cids = data.filter(({ status }) => status === 1).map(({ cid }) => cid);
  const ids: string[] = [];
  for (const cid of cids.slice(0, 3)) {
    ids.push((await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })).id);
  }
  await world.core.handlers['proposals.reviewTogether']({ ids });
  const display = await world.look(world.shown.at(-1)?.proposal.id ?? '');
  refuseNext(world);
  const deciding = world.approve(display);
  await untilItWaits(world, ids[0] ?? '');
  world.clock.advance(pauseMs);
  const { proposal } = await deciding;
  expect(proposal).toMatchObject({ state: 'done', outcome: { message: '3 stored.' } });
  expect(world.puts()).toBe(4);
});

test.each([
  [
    'a slow batch is sent completely, because each pause between its members is short',
    6 * 60_000,
    '3 stored.',
  ],
  ['a batch is not sent hours later when the machine slept', 6 * 3_600_000, '3 expired.'],
])('%s', async (_title, perTurnMs, outcome) => {
  const world = await createWorld();
  const { data } = await world.other.list({ page: 1, perPage: 50 });
  const cids = data
    .filter(({ status }) => status === 1)
    .map(({ cid }) => cid)
    .slice(0, 3);
  const ids: string[] = [];
  for (const cid of cids) {
    ids.push((await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })).id);
  }
  await world.core.handlers['proposals.reviewTogether']({ ids });
  const display = await world.look(world.shown.at(-1)?.proposal.id ?? '');
  // The comparison and the read-back of each write.
  for (let read = 0; read < 6; read += 1) {
    const run = () => world.clock.setForward(perTurnMs / 2);
    world.service.faults.arm({ kind: 'meanwhile', method: 'GET', run });
  }
  const { proposal } = await world.approve(display);
  expect(proposal).toMatchObject({ state: 'done', outcome: { message: outcome } });
  const [last] = ids.slice(-1);
  const { outcome: ofLast } = await get(world, last ?? '');
  if (outcome === '3 stored.') expect(ofLast).toBeNull();
  else
    expect(ofLast?.message).toBe(
      'It could not be sent within ten minutes of the decision. Nothing was sent.',
    );
});

test('a write that keeps being refused with 429 is sent four times, then it is refused and its campaign is unlocked', async () => {
  const world = await createWorld();
  const { proposal, cid } = await proposeBid(world);
  const display = await world.look(proposal.id);
  refuseNext(world, 5);
  const deciding = world.approve(display);
  for (const sent of [1, 2, 3]) {
    await eventually(() => expect(world.puts()).toBe(sent));
    await untilItWaits(world, proposal.id);
    world.clock.advance(5_000);
  }
  expect((await deciding).proposal).toMatchObject({ state: 'refused', outcome: { code: 'rate_limited' } });
  expect(world.puts()).toBe(4);
  expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBeNull();
});

test('an emergency pause of all other campaigns is sent while a write waits to be sent again', async () => {
  const world = await createWorld();
  const { cid, deciding } = await waitingWrite(world);
  const { id } = await world.core.handlers['emergencyStop.start']({});
  const { proposal: pause } = await world.approve(await world.look(id ?? ''));
  expect(pause.state).toBe('done');
  expect(await findCampaign(world, ({ status }) => status === 1)).toMatchObject({ cid });
  world.clock.advance(pauseMs);
  expect((await deciding).proposal.state).toBe('verified');
});

describe('a write that is still unsent after a pause is recorded as refused', () => {
  test('immediately when the program ends', async () => {
    const world = await createWorld();
    const { id, cid, deciding } = await waitingWrite(world);
    await world.core.dispose();
    const { proposal } = await deciding;
    expect(proposal).toMatchObject({ state: 'refused', outcome: { code: 'rate_limited' } });
    expect(proposal.outcome?.message).toMatch(
      /Countersign ended before the change was sent again\. Nothing was stored\.$/,
    );
    expect(world.puts()).toBe(1);
    const restarted = await world.restart();
    expect((await get(restarted, id)).state).toBe('refused');
    expect((await restarted.core.handlers['campaigns.get']({ cid })).lockedBy).toBeNull();
  });

  test('when its campaign was changed by someone else, and the change is proposed again on the new state', async () => {
    const world = await createWorld();
    const { cid, deciding } = await waitingWrite(world);
    await changeElsewhere(world, cid, { name: 'Somebody else' });
    world.clock.advance(pauseMs);
    const { proposal, again } = await deciding;
    expect(proposal).toMatchObject({ state: 'refused', outcome: { code: 'proposal_stale' } });
    expect(proposal.outcome?.message).toMatch(
      /the campaign changed before the change was sent again\. Nothing was stored\.$/,
    );
    expect(again?.proposal.rebase?.moved).toEqual([expect.objectContaining({ field: 'name' })]);
    expect(proposal.replacedBy).toBe(again?.proposal.id);
  });
});

test('a write whose program is killed during the pause has an unknown outcome, is settled by a read, and is not sent again', async () => {
  const requestMs = 10_000;
  const world = await createWorld({ requestMs });
  const { id, cid } = await waitingWrite(world);
  const folder = tempFolder();
  cpSync(world.folder, folder, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  const killed = await createWorld({ folder, requestMs, clock: world.clock, dataKey: world.dataKey });
  expect((await get(killed, id)).state).toBe('unknown');
  expect((await killed.core.handlers['campaigns.get']({ cid })).lockedBy).toBe(id);
  await eventually(async () => {
    killed.clock.advance(requestMs);
    expect(await get(killed, id)).toMatchObject({ state: 'refused', outcome: { code: 'write_not_stored' } });
  });
  expect(killed.puts()).toBe(0);
});

describe('a call of an agent', () => {
  function refuseCall(world: AgentWorld, retryAfter: string): void {
    world.wire.answerNext = (_body, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter }).end('{}');
    };
  }

  async function waitingCall(world: AgentWorld): Promise<{ id: string; deciding: Promise<ProposalView> }> {
    const { request } = await prepareBid(world);
    const { id } = await world.gate.agents.propose(request);
    refuseCall(world, '60');
    const deciding = world.approve(id);
    await eventually(() => expect(world.gate.get(id).outcome?.code).toBe('write_waits'));
    return { id, deciding };
  }

  const argumentsOf = (body: string) => /"arguments":(.*)\}/.exec(body)?.[1];

  test('is sent again unchanged after a pause of up to a minute', async () => {
    const world = await createAgentWorld();
    const { deciding } = await waitingCall(world);
    world.clock.advance(61_000);
    expect(await deciding).toMatchObject({ state: 'verified' });
    const [first = '', second = '', ...more] = world.wire.callsOf('svc_commit');
    expect(more).toEqual([]);
    expect(argumentsOf(second)).toBe(argumentsOf(first));
    expect(argumentsOf(first)).toContain('"approvalId"');
  });

  test('is refused when the service asks for a longer pause', async () => {
    const world = await createAgentWorld();
    const { request } = await prepareBid(world);
    const { id } = await world.gate.agents.propose(request);
    refuseCall(world, '61');
    expect(await world.approve(id)).toMatchObject({ state: 'refused', outcome: { code: 'rate_limited' } });
    expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
  });

  test('is not sent after the pause when agents were frozen meanwhile', async () => {
    let isFrozen = false;
    const assertMaySend = (): void => {
      if (isFrozen) throw new AppError('agents_frozen');
    };
    const world = await createAgentWorld({ guard: { assertAllowed() {}, assertMaySend } });
    const { deciding } = await waitingCall(world);
    isFrozen = true;
    world.gate.agents.withdrawAll(null, 'agents_frozen');
    expect(await deciding).toMatchObject({ state: 'refused', outcome: { code: 'agents_frozen' } });
    expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
  });
});
