import { describe, expect, test, vi } from 'vitest';
import type { PinnedTool } from '#core/agents/index.ts';
import type { GateOptions } from '#core/proposals/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
import {
  type AgentWorld,
  type AgentWorldOptions,
  callOf,
  campaignNow,
  createAgentWorld,
  prepare,
  prepareBid,
  usualPin,
} from './agent-world.ts';
import { eventually } from '#test/setup/eventually.ts';

const lifeMs = defaultWaitingMinutes * 60_000;
const overnightMs = 9 * 60 * 60_000;
const prepareTool = 'svc_prepare_campaign_update';

interface Night {
  world: AgentWorld;
  old: ProposalView;
  cid: number;
  to: number;
  args: JsonObject;
}

/** An agent's prepared bid with a receipt, hours after the service's approval has expired. */
async function overnight(options: AgentWorldOptions = {}, passedMs = overnightMs): Promise<Night> {
  const world = await createAgentWorld(options);
  const { request, cid, to } = await prepareBid(world);
  const old = await world.gate.agents.propose(request);
  world.gate.agents.giveReceipt(old.id);
  world.clock.advance(passedMs);
  world.wire.bodies.length = 0;
  return { world, old, cid, to, args: request.args };
}

/** Changes the campaign without the gate, as another user would. */
async function changeElsewhere({ world, cid }: Night, fields: JsonObject): Promise<void> {
  const campaign = await campaignNow(world, cid);
  await world.connection.member.update(cid, canonicalJson({ ...campaign, ...fields }));
}

const argsIn = ({ payload }: ProposalView): JsonObject =>
  (JSON.parse(payload) as { arguments: JsonObject }).arguments;

/** Makes the service prepare something other than it is asked for. */
function prepareOtherwise(world: AgentWorld, change: (data: JsonObject) => void): void {
  const { remote } = world.connection;
  const call = remote.callTool.bind(remote);
  vi.spyOn(remote, 'callTool').mockImplementation(async (name, args, options) => {
    const answer = await call(name, args, options);
    const content = answer['structuredContent'];
    const data = content !== undefined && isJsonObject(content) ? content['data'] : undefined;
    if (name.startsWith('svc_prepare') && data !== undefined && isJsonObject(data)) change(data);
    return answer;
  });
}

test('a prepared change keeps waiting after the service’s approval has ended, and opening it prepares the change again', async () => {
  const night = await overnight();
  const { world, old, to, args } = night;
  expect(world.gate.get(old.id)).toMatchObject({ state: 'proposed', canPrepareAgain: true });
  // No request is sent to the service while no window is open.
  expect(world.wire.bodies).toEqual([]);
  await changeElsewhere(night, { name: 'Renamed overnight' });

  const display = await world.look(old.id);
  const { proposal } = display;
  expect(proposal.id).not.toBe(old.id);
  expect(proposal.fingerprint).not.toBe(old.fingerprint);
  expect(proposal.rebase).toMatchObject({
    of: old.id,
    preparedAgain: true,
    moved: [{ field: 'name', after: 'Renamed overnight' }],
  });
  expect(world.gate.get(old.id)).toMatchObject({
    state: 'expired',
    replacedBy: proposal.id,
    outcome: { code: 'prepared_again' },
  });
  expect(world.gate.get(old.id).canPrepareAgain).toBeUndefined();
  // The call is sent once. Only approval, fingerprint and payload differ from the old call.
  expect(world.wire.callsOf(prepareTool)).toHaveLength(1);
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
  const again = argsIn(proposal);
  expect(again['approvalId']).not.toBe(args['approvalId']);
  expect(again['idempotencyKey']).toBe(args['idempotencyKey']);
  expect(again['payload']).toMatchObject({ payout: to, name: 'Renamed overnight' });

  const ended = await world.decide(display, { decision: 'approve', reason: null });
  expect(ended).toMatchObject({ id: proposal.id, state: 'verified' });
  expect(await campaignNow(world, night.cid)).toMatchObject({ payout: to, name: 'Renamed overnight' });
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
});

test('the agent’s key and receipt lead to the successor, even over several successors', async () => {
  const { world, old, args } = await overnight();
  const { agents } = world.gate;
  const ended = agents.untilSettled(old.id, new AbortController().signal);
  const second = await world.gate.prepareAgain(old.id);
  world.clock.advance(overnightMs);
  const third = (await world.look(old.id)).proposal;
  expect(new Set([old.id, second.id, third.id]).size).toBe(3);
  expect(agents.find('agent-1', old.id)).toMatchObject({ id: third.id, rebase: { preparedAgain: true } });
  // A repeated call joins the new proposal.
  const { request } = { request: callOf('svc_commit', args) };
  expect(await agents.propose(request)).toMatchObject({ id: third.id });
  agents.giveReceipt(old.id);
  await world.approve(third.id);
  expect(await ended).toMatchObject({ id: third.id, state: 'verified' });
  expect(agents.answerOf(old.id)).toMatchObject({ structuredContent: { status: 'success' } });
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
});

test('an open call waits for the successor, and the successor is withdrawn when the agent disconnects', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const old = await world.gate.agents.propose(request);
  world.clock.advance(overnightMs);
  const { id } = await world.gate.prepareAgain(old.id);
  expect(world.gate.get(id).state).toBe('proposed');
  world.gate.agents.abandon(old.id);
  await eventually(() => expect(world.gate.get(id).state).toBe('withdrawn'));
});

test('after a restart the successor of an answered call keeps waiting', async () => {
  const { world, old } = await overnight();
  const { id } = await world.gate.prepareAgain(old.id);
  const again = await world.restart();
  expect(again.gate.get(id)).toMatchObject({ state: 'proposed' });
  expect(again.gate.agents.find('agent-1', old.id)).toMatchObject({ id });
});

test('opening a change twice at once prepares it once, and opening it again finds the same proposal', async () => {
  const { world, old } = await overnight();
  const [one, two] = await Promise.all([world.gate.prepareAgain(old.id), world.gate.prepareAgain(old.id)]);
  expect(two?.id).toBe(one?.id);
  expect((await world.gate.prepareAgain(old.id)).id).toBe(one?.id);
  expect(world.wire.callsOf(prepareTool)).toHaveLength(1);
  expect(world.store.proposals.countUndecided()).toBe(1);
});

test('an expired proposal is prepared again on request, and a decided or withdrawn proposal never', async () => {
  const { world, old } = await overnight({}, lifeMs);
  expect(world.gate.get(old.id)).toMatchObject({ state: 'expired', canPrepareAgain: true });
  await expect(world.gate.review(old.id)).rejects.toMatchObject({ code: 'proposal_expired' });
  const { id } = await world.gate.prepareAgain(old.id);
  await world.deny(id, null);
  for (const over of [old.id, id]) {
    await expect(world.gate.prepareAgain(over)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  }
  const { request } = await prepareBid(world);
  const other = await world.gate.agents.propose(request);
  world.gate.withdraw(other.id);
  await expect(world.gate.prepareAgain(other.id)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
});

test('an approval that ends while the confirmation is open is not used, and its button prepares the change again', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const display = await world.look(id);
  world.clock.advance(overnightMs);
  await expect(world.decide(display, { decision: 'approve', reason: null })).rejects.toMatchObject({
    code: 'approval_ended',
  });
  expect(world.gate.get(id).state).toBe('shown');
  const again = await world.gate.confirmation.prepareAgain(display);
  expect(again.proposal.rebase).toMatchObject({ of: id, preparedAgain: true });
  // The old confirmation cannot be decided any more.
  await expect(world.decide(display, { decision: 'approve', reason: null })).rejects.toMatchObject({
    code: 'proposal_expired',
  });
  world.gate.confirmation.seen(again);
  world.clock.advance(1_000);
  expect(await world.decide(again, { decision: 'approve', reason: null })).toMatchObject({
    state: 'verified',
  });
});

test('a waiting change whose approval has ended can still be denied without asking the service', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const display = await world.look(id);
  world.clock.advance(overnightMs);
  world.wire.bodies.length = 0;
  expect(await world.decide(display, { decision: 'deny', reason: 'Too late' })).toMatchObject({
    state: 'denied',
  });
  expect(world.wire.bodies).toEqual([]);
});

test('a change of status is prepared again for the current campaigns', async () => {
  const world = await createAgentWorld();
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const [one, two] = data.filter(({ status }) => status === 1);
  const ids = [one?.cid ?? 0, two?.cid ?? 0];
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_status', { ids, status: 'paused' });
  const old = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  world.clock.advance(overnightMs);
  await world.connection.member.updateStatus(canonicalJson({ ids: [ids[0] ?? 0], status: 3 }));
  const { proposal } = await world.look(old.id);
  expect(proposal.targets.map(({ cid }) => cid)).toEqual([ids[1]]);
  expect(proposal.rebase?.moved).toMatchObject([{ before: 'Active', after: 'Not in the change any more' }]);
  expect(await world.approve(proposal.id)).toMatchObject({ state: 'verified' });
});

describe('if the service prepares a different change than before,', () => {
  test('the difference is a danger with both values and can be approved only by typing', async () => {
    const night = await overnight();
    const { world, old } = night;
    prepareOtherwise(world, (data) => Object.assign(data['payload'] as JsonObject, { payout: 0.9 }));
    const { proposal } = await world.look(old.id);
    expect(proposal.warnings[0]).toMatchObject({ code: 'prepared_differently', severity: 'danger' });
    expect(proposal.warnings[0]?.text).toContain('Bid');
    expect(proposal.typeToConfirm).not.toBeNull();
    expect(proposal.rebase?.moved.map(({ label }) => label)).toEqual(['Bid, as prepared']);
    expect(proposal.changes.map(({ field, after }) => [field, after])).toEqual([['payout', '$0.900']]);
  });

  test.each<[string, (data: JsonObject, cid: number) => void]>([
    ['of another campaign', (data, cid) => Object.assign(data['payload'] as JsonObject, { cid: cid + 1 })],
    ['of another kind', (data, cid) => Object.assign(data, { payload: { ids: [cid], status: 3 } })],
  ])('a change %s is not proposed', async (_what, change) => {
    const night = await overnight();
    const { world, old, cid } = night;
    prepareOtherwise(world, (data) => change(data, cid));
    await expect(world.gate.review(old.id)).rejects.toBeInstanceOf(AppError);
    expect(world.gate.get(old.id)).toMatchObject({ state: 'proposed', canPrepareAgain: true });
    expect(world.store.proposals.countUndecided()).toBe(1);
  });
});

describe('the proposal stays unchanged and nothing is sent', () => {
  const untouched = ({ world, old }: Night): void => {
    expect(world.gate.get(old.id)).toMatchObject({
      state: 'proposed',
      replacedBy: null,
      canPrepareAgain: true,
    });
    expect(world.store.proposals.countUndecided()).toBe(1);
    expect(world.wire.callsOf('svc_commit')).toEqual([]);
  };

  /** Limits that refuse from a given moment on, as if they were set since. */
  function laterLimits(): {
    guard: GateOptions['guard'];
    refuse: (code: 'agents_frozen' | 'guardrail') => void;
  } {
    let refusal: 'agents_frozen' | 'guardrail' | null = null;
    const look = (): void => {
      if (refusal !== null) throw new AppError(refusal);
    };
    return {
      guard: { assertAllowed: look, assertMaySend: look },
      refuse: (code) => void (refusal = code),
    };
  }

  test('if the current limits refuse it, and the service is not asked', async () => {
    const limits = laterLimits();
    const night = await overnight({ guard: limits.guard });
    for (const code of ['agents_frozen', 'guardrail'] as const) {
      limits.refuse(code);
      await expect(night.world.gate.review(night.old.id)).rejects.toMatchObject({ code });
      expect(night.world.wire.bodies).toEqual([]);
      untouched(night);
    }
  });

  test('if the limits refuse the change as it is prepared now', async () => {
    const night = await overnight({
      guard: {
        assertMaySend() {},
        assertAllowed({ draft }) {
          if (draft.rebase?.preparedAgain === true) throw new AppError('guardrail');
        },
      },
    });
    await expect(night.world.gate.review(night.old.id)).rejects.toMatchObject({ code: 'guardrail' });
    untouched(night);
  });

  const tools: [string, (name: string) => PinnedTool | null, string][] = [
    ['the prepare is held', (name) => ({ ...usualPin(name), isHeld: name === prepareTool }), 'tool_held'],
    ['the commit is held', (name) => ({ ...usualPin(name), isHeld: name === 'svc_commit' }), 'tool_held'],
    [
      'the service has no such tool any more',
      (name) => (name === prepareTool ? null : usualPin(name)),
      'prepare_again_impossible',
    ],
    [
      'the prepare counts as a write now',
      (name) => ({ ...usualPin(name), treatAs: 'write' }),
      'prepare_again_impossible',
    ],
  ];
  test('if one of its tools is held, was removed, is now a write, or differs from its pin', async () => {
    const night = await overnight();
    const { world, old } = night;
    const { tools: usual } = world.pinned;
    for (const [why, find, code] of tools) {
      world.pinned.tools = find;
      await expect(world.gate.review(old.id), why).rejects.toMatchObject({ code });
    }
    world.pinned.tools = usual;
    world.pinned.isPinned = false;
    await expect(world.gate.review(old.id)).rejects.toMatchObject({ code: 'tool_held' });
    expect(world.wire.callsOf(prepareTool)).toEqual([]);
    untouched(night);
  });

  test('if the service refuses, and the service’s words are shown', async () => {
    const night = await overnight();
    await changeElsewhere(night, { payout: night.to });
    await expect(night.world.gate.review(night.old.id)).rejects.toMatchObject({ code: 'tool_refused' });
    untouched(night);
  });

  test('until the call is repeated, if the answer is lost', async () => {
    const night = await overnight();
    night.world.wire.losesNext = 1;
    expect((await night.world.look(night.old.id)).proposal.rebase).toMatchObject({ preparedAgain: true });
  });

  test('until it is opened again, if the answer is lost twice', async () => {
    const night = await overnight();
    night.world.wire.losesNext = 2;
    await expect(night.world.gate.review(night.old.id)).rejects.toBeInstanceOf(AppError);
    untouched(night);
    expect((await night.world.look(night.old.id)).proposal.rebase).toMatchObject({ preparedAgain: true });
  });

  test('if the service does not answer', async () => {
    const night = await overnight({ requestMs: 1_000 });
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    night.world.wire.answerNext = () => isAsked();
    const reviewed = night.world.gate.review(night.old.id).catch((failure: unknown) => failure);
    await asked;
    night.world.clock.advance(1_000);
    expect(await reviewed).toBeInstanceOf(AppError);
    untouched(night);
  });

  test('if it is denied while the service is asked', async () => {
    const world = await createAgentWorld();
    const { request } = await prepareBid(world);
    const { id } = await world.gate.agents.propose(request);
    const display = await world.look(id);
    world.clock.advance(overnightMs);
    prepareOtherwise(world, () => {
      void world.decide(display, { decision: 'deny', reason: null });
    });
    await expect(world.gate.prepareAgain(id)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
    expect(world.gate.get(id)).toMatchObject({ state: 'denied', replacedBy: null });
    expect(world.store.proposals.countUndecided()).toBe(0);
  });

  test('if Countersign ends between the service’s answer and its own record', async () => {
    const night = await overnight();
    const { world, old } = night;
    const transaction = world.store.transaction.bind(world.store);
    vi.spyOn(world.store, 'transaction').mockImplementationOnce((work) =>
      transaction(() => {
        work();
        throw new AppError('storage_failed');
      }),
    );
    await expect(world.gate.review(old.id)).rejects.toMatchObject({ code: 'storage_failed' });
    untouched(night);
    const again = await world.restart();
    expect(again.gate.get(old.id)).toMatchObject({ state: 'proposed', replacedBy: null });
    expect((await again.look(old.id)).proposal.rebase).toMatchObject({ of: old.id, preparedAgain: true });
  });

  test('if its call is unknown, and the reason says so', async () => {
    const world = await createAgentWorld();
    const { request } = await prepareBid(world);
    const { prepared } = request;
    const unknown = prepared === null ? null : { ...prepared, call: null };
    const { id } = await world.gate.agents.propose({ ...request, prepared: unknown });
    world.clock.advance(overnightMs);
    expect(world.gate.get(id).canPrepareAgain).toBeUndefined();
    await expect(world.gate.review(id)).rejects.toMatchObject({ code: 'prepare_again_impossible' });
    expect(world.gate.get(id).state).toBe('proposed');
  });
});

test('equal changes from one night are prepared again one by one and reviewed together', async () => {
  const world = await createAgentWorld({ campaigns: 30 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const cids = data.filter(({ status }) => status === 1).map(({ cid }) => cid);
  const ids: string[] = [];
  for (const cid of cids.slice(0, 3)) {
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_status', {
      ids: [cid],
      status: 'paused',
    });
    ids.push((await world.gate.agents.propose(callOf('svc_commit', args, { prepared }))).id);
  }
  world.clock.advance(overnightMs);
  const batch = await world.gate.proposeTogether(ids);
  expect(batch.detail).toMatchObject({ kind: 'batch', members: { length: 3 } });
  expect(await world.approve(batch.id)).toMatchObject({ state: 'done' });
  expect(world.wire.callsOf('svc_commit')).toHaveLength(3);
});

test('a member of a batch whose approval ends during the display keeps waiting and is not sent', async () => {
  const world = await createAgentWorld({ campaigns: 30 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const cids = data.filter(({ status }) => status === 1).map(({ cid }) => cid);
  const ids: string[] = [];
  for (const cid of cids.slice(0, 2)) {
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_status', {
      ids: [cid],
      status: 'paused',
    });
    ids.push((await world.gate.agents.propose(callOf('svc_commit', args, { prepared }))).id);
    world.clock.advance(120_000);
  }
  const batch = await world.gate.proposeTogether(ids);
  const display = await world.look(batch.id);
  world.clock.advance(8 * 60_000 - 60_000);
  await world.decide(display, { decision: 'approve', reason: null });
  expect(ids.map((id) => world.gate.get(id).state)).toEqual(['shown', 'verified']);
  expect(world.wire.callsOf('svc_commit')).toHaveLength(1);
});
