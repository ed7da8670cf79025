import { describe, expect, test } from 'vitest';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';
import { leaveProposal, withStore } from '#test/servers/stores.ts';
import { changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../proposals/world.ts';
import {
  addSouthwind,
  cidsWith,
  emergencyStopView,
  leaveUnknown,
  pauseAll,
  start,
  statuses,
} from './emergency-stop-scene.ts';
import { eventually } from '#test/setup/eventually.ts';

const setStatus = (world: World, cids: readonly (number | undefined)[], status: number): Promise<void> =>
  world.other.updateStatus(JSON.stringify({ ids: cids, status }));

/** Returns the ids that await a decision. A batch counts once. */
async function waiting(world: World): Promise<string[]> {
  const list = { which: 'waiting', before: null, limit: 50 } as const;
  const { items } = await world.core.handlers['proposals.list'](list);
  return items.filter(({ state }) => state === 'proposed' || state === 'shown').map(({ id }) => id);
}

const view = async (world: World, id: string): Promise<ProposalView> =>
  world.core.handlers['proposals.get']({ id });

async function resume(world: World): Promise<ProposalView> {
  return view(world, (await world.core.handlers['emergencyStop.resume']({})).id);
}

async function done(world: World, id: string): Promise<void> {
  await eventually(async () => expect((await view(world, id)).state).toBe('done'));
}

/** Makes the outcome of a bid change unknown, which locks its campaign until a read finds the stored value. */
async function lockOne(
  world: World,
  ...wanted: (number | undefined)[]
): Promise<{ cid: number; id: string; to: number; settle: () => Promise<void> }> {
  const { proposal, cid, to } = await proposeBid(world, 1.1, ...wanted);
  leaveUnknown(world, proposal.id);
  return {
    cid,
    id: proposal.id,
    to,
    async settle() {
      await changeElsewhere(world, cid, { payout: to });
      await world.core.handlers['proposals.settle']({ id: proposal.id });
    },
  };
}

function activeOf({ targets }: ProposalView): number {
  return targets.find(({ statusBefore }) => statusBefore === 1)?.cid ?? 0;
}

/**
 * Waits for the pause that the app itself proposes for this campaign, approves it, and expects that no campaign runs any
 * more.
 */
async function approveFollowUp(world: World, cid: number): Promise<void> {
  await eventually(async () => expect(await waiting(world)).toHaveLength(1));
  const [followUp = ''] = await waiting(world);
  expect(await view(world, followUp)).toMatchObject({ operation: 'campaign.status', targets: [{ cid }] });
  await world.approve(await world.look(followUp));
  expect(await cidsWith(world, 1, 4)).toEqual([]);
}

/** A change that was approved and is not settled; `finish` lets it settle. */
interface UnderWay {
  finish(): Promise<unknown>;
}

/** Approves a change whose write is answered with 429, so that the write waits until the clock advances. */
async function waitingFor429(world: World, id: string): Promise<UnderWay> {
  const display = await world.look(id);
  world.service.faults.arm({ kind: 'answer', status: 429, method: 'PUT' });
  const deciding = world.approve(display);
  await eventually(async () => expect((await view(world, id)).outcome?.code).toBe('write_waits'));
  return {
    finish() {
      world.clock.advance(2_000);
      return deciding;
    },
  };
}

describe('a second emergency stop while a pause waits', () => {
  test('shows the waiting pause, even if campaigns have stopped since or cannot be read', async () => {
    const world = await createWorld();
    const { id, targets } = await start(world);
    await setStatus(world, [targets[0]?.cid], 2);
    expect((await start(world)).id).toBe(id);
    world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: '/campaigns' });
    expect((await start(world)).id).toBe(id);
    expect(await waiting(world)).toEqual([id]);
  });

  test('shows the successor of the waiting pause', async () => {
    const world = await createWorld();
    const first = await start(world);
    const cids = first.targets.map(({ cid }) => cid);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
    leaveProposal(world.folder, first.id, { state: 'stale', replacedBy: id });
    expect((await start(world)).id).toBe(id);
    expect(await waiting(world)).toEqual([id]);
  });

  test('replaces the waiting pause with one pause of everything that runs now', async () => {
    const world = await createWorld();
    const first = await start(world);
    const [back] = await cidsWith(world, 3);
    await setStatus(world, [back], 1);
    const second = await start(world);
    expect(second.targets).toHaveLength(first.targets.length + 1);
    expect(await waiting(world)).toEqual([second.id]);
    expect(await view(world, first.id)).toMatchObject({ state: 'withdrawn' });
  });

  test('shows the waiting pause even if one of its campaigns is being written, and sends the pause without that campaign', async () => {
    const world = await createWorld();
    const first = await start(world);
    const { cid, settle } = await lockOne(world, activeOf(first));
    expect((await start(world)).id).toBe(first.id);
    const { proposal } = await world.approve(await world.look(first.id));
    expect(proposal.verdicts.filter(({ verdict }) => verdict === 'left')).toMatchObject([
      { field: `${cid}.status`, found: 'An earlier change to it has an unknown outcome.' },
    ]);
    expect(await cidsWith(world, 1, 4)).toEqual([cid]);
    await settle();
    await approveFollowUp(world, cid);
  });
});

test('names the other profiles with agents, because the pause covers only the active profile', async () => {
  const world = await createWorld({ host: 'desktop' });
  const id = await addSouthwind(world);
  withStore(world.folder, ({ agents }) => {
    for (const [at, profileId] of [id, id, 'demo'].entries())
      agents.insert({ ...admittedAgent, id: `agent-${at}`, clientId: `client-${at}`, profileId });
  });
  expect(await emergencyStopView(world)).toMatchObject({
    profile: 'Northwind Media',
    elsewhere: ['Southwind'],
  });
  expect(await world.core.handlers['emergencyStop.start']({})).toMatchObject({
    say: 'Agents are frozen everywhere. The pause is for “Northwind Media”; switch to “Southwind” to pause there.',
  });
});

describe('a campaign with an unfinished change during an emergency stop', () => {
  test('is paused when that change activates it', async () => {
    const world = await createWorld();
    const { cid, name } = await findCampaign(world, ({ status }) => status === 3);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 1 });
    const { finish } = await waitingFor429(world, id);
    expect((await statuses(world)).get(cid)).toBe(3);

    const pause = await start(world);
    expect(pause.targets.map((target) => target.cid)).not.toContain(cid);
    const skipped = pause.detail.kind === 'batch' ? pause.detail.skipped : [];
    expect(skipped.at(-1)).toEqual({
      what: `“${name}” (${cid})`,
      because:
        'A change that may start it is not settled. If it runs afterwards, its pause will be proposed.',
    });
    const pausing = world.approve(await world.look(pause.id));
    await finish();
    await pausing;
    expect((await statuses(world)).get(cid)).toBe(1);
    await approveFollowUp(world, cid);
  });

  test('is paused when that change activates it while the campaigns are read', async () => {
    const world = await createWorld();
    const { cid } = await findCampaign(world, ({ status }) => status === 3);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 1 });
    const { finish } = await waitingFor429(world, id);
    // The app first counts running campaigns, with one request for each of their two statuses, and then reads them.
    const counted = async (): Promise<void> => {};
    for (const run of [counted, counted, finish]) {
      world.service.faults.arm({ kind: 'meanwhile', method: 'GET', path: '/campaigns/campaigns', run });
    }
    const pause = await start(world);
    expect((await statuses(world)).get(cid)).toBe(1);
    await world.approve(await world.look(pause.id));
    await approveFollowUp(world, cid);
  });

  test('is paused when that change activates it and nothing else runs', async () => {
    const world = await createWorld();
    const { cid } = await findCampaign(world, ({ status }) => status === 3);
    await setStatus(world, await cidsWith(world, 1, 4), 2);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 1 });
    const { finish } = await waitingFor429(world, id);
    const { id: none, say } = await world.core.handlers['emergencyStop.start']({});
    expect({ none, say }).toMatchObject({ none: null, say: expect.stringContaining('One campaign has') });
    expect(await emergencyStopView(world)).toMatchObject({ pending: { kind: 'locked' } });
    await finish();
    await approveFollowUp(world, cid);
  });

  test('is paused separately as soon as that change is settled, and resumes with the others', async () => {
    const world = await createWorld();
    const before = await statuses(world);
    const { cid, settle } = await lockOne(world);
    const { say } = await world.core.handlers['emergencyStop.start']({});
    expect(say).toContain('One campaign has a change in progress: if it runs when that settles,');
    const [pause = ''] = await waiting(world);
    expect((await view(world, pause)).detail).toMatchObject({
      kind: 'batch',
      skipped: [
        {
          what: expect.stringContaining(`(${cid})`) as string,
          because: expect.stringContaining('An earlier change to it has an unknown outcome.') as string,
        },
      ],
    });
    const { proposal } = await world.approve(await world.look(pause));
    await done(world, proposal.id);
    expect(await cidsWith(world, 1, 4)).toEqual([cid]);

    await settle();
    await eventually(async () => expect(await waiting(world)).toHaveLength(1));
    const [followUp = ''] = await waiting(world);
    expect(await view(world, followUp)).toMatchObject({ operation: 'campaign.status', targets: [{ cid }] });
    expect(world.shown.at(-1)?.proposal.id).toBe(followUp);
    await world.approve(await world.look(followUp));
    expect(await cidsWith(world, 1, 4)).toEqual([]);

    const running = [...before].filter(([, status]) => status === 1 || status === 4);
    expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: running.length } });
    const { id } = await resume(world);
    await done(world, (await world.approve(await world.look(id))).proposal.id);
    expect(await statuses(world)).toEqual(before);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
    const { items } = await world.core.handlers['ledger.list']({
      beforeSeq: null,
      limit: 200,
      filter: everyRow,
    });
    expect(items.filter(({ kind }) => kind === 'emergency-stop.started')).toHaveLength(2);
  });
});

describe('a write that begins after the pause was prepared', () => {
  /** Approves a batch of bids of which the first waits to be sent again. */
  async function sendBatch(world: World, cids: readonly number[]): Promise<UnderWay> {
    const ids: string[] = [];
    for (const cid of cids) ids.push((await proposeBid(world, 1.1, cid)).proposal.id);
    await world.core.handlers['proposals.reviewTogether']({ ids });
    const batch = world.shown.at(-1)?.proposal.id ?? '';
    const display = await world.look(batch);
    world.service.faults.arm({ kind: 'answer', status: 429, method: 'PUT' });
    const deciding = world.approve(display);
    await eventually(async () => {
      expect((await view(world, ids[0] ?? '')).outcome?.code).toBe('write_waits');
    });
    return {
      finish() {
        world.clock.advance(2_000);
        return deciding;
      },
    };
  }

  test('does not keep the other campaigns running, and its campaign is paused separately', async () => {
    const world = await createWorld();
    const pause = await start(world);
    const active = pause.targets.filter(({ statusBefore }) => statusBefore === 1).map(({ cid }) => cid);
    const [cid = 0] = active;
    const { finish } = await sendBatch(world, active.slice(0, 3));
    const { proposal } = await world.approve(await world.look(pause.id));
    expect(proposal.state).toBe('verified');
    expect(await cidsWith(world, 1, 4)).toEqual([cid]);
    expect(proposal.verdicts.filter(({ verdict }) => verdict === 'left')).toMatchObject([
      { field: `${cid}.status`, found: 'Another change to it is being sent.' },
    ]);
    await finish();
    await eventually(async () => {
      const asked = await Promise.all((await waiting(world)).map((id) => view(world, id)));
      expect(asked).toContainEqual(
        expect.objectContaining({
          title: expect.stringMatching(/^Pause /) as string,
          targets: [expect.objectContaining({ cid })],
        }),
      );
    });
  });

  test('does not keep the other campaigns running if the pause belongs to a batch', async () => {
    const world = await createWorld();
    const first = await lockOne(world);
    const pause = await start(world);
    const second = await lockOne(world, activeOf(pause));
    await done(world, (await world.approve(await world.look(pause.id))).proposal.id);
    expect(new Set(await cidsWith(world, 1, 4))).toEqual(new Set([first.cid, second.cid]));
  });

  test('prevents the approval of a pause that covers only its campaign', async () => {
    const world = await createWorld();
    const [cid = 0] = await cidsWith(world, 1);
    await world.core.handlers['emergencyStop.setCampaigns']({ kind: 'chosen', cids: [cid] });
    const pause = await start(world);
    await lockOne(world, cid);
    const display = await world.look(pause.id);
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'campaign_locked' });
    expect((await view(world, pause.id)).state).toBe('shown');
  });
});

describe('after a restart', () => {
  test('a campaign skipped because of an unknown outcome is paused when the outcome is settled', async () => {
    const world = await createWorld();
    const { cid, id, to } = await lockOne(world);
    await done(world, (await pauseAll(world)).id);
    const next = await world.restart();
    expect(await waiting(next)).toEqual([]);
    await changeElsewhere(next, cid, { payout: to });
    await next.core.handlers['proposals.settle']({ id });
    await approveFollowUp(next, cid);
    const running = (await emergencyStopView(next)).paused?.campaigns;
    expect((await resume(next)).targets).toHaveLength(running ?? 0);
  });

  test('campaigns that the pause did not send, or that were settled just before, are paused as well', async () => {
    const world = await createWorld();
    const pause = await start(world);
    const { cid, id } = await lockOne(world, activeOf(pause));
    const display = await world.look(pause.id);
    const { proposal } = await world.approve(display);
    expect(proposal.state).toBe('verified');
    await world.core.dispose();
    leaveProposal(world.folder, id, { state: 'refused' });
    await approveFollowUp(await world.restart(), cid);
  });

  test('skipped campaigns are paused until agents work again, and not after a later freeze', async () => {
    const world = await createWorld();
    const { cid } = await lockOne(world);
    await world.core.handlers['emergencyStop.setCampaigns']({ kind: 'chosen', cids: [cid] });
    await world.core.handlers['emergencyStop.start']({});
    const next = await world.restart();
    expect(await emergencyStopView(next)).toMatchObject({ pending: { kind: 'locked' } });
    await next.core.handlers['agents.thaw']({});
    expect(await emergencyStopView(next)).toMatchObject({ pending: null });
    next.clock.advance(1);
    await next.core.handlers['agents.freeze']({});
    expect(await emergencyStopView(next)).toMatchObject({ pending: null });
  });
});

describe('the return after an emergency stop', () => {
  test('remembers a skipped locked campaign, which returns later', async () => {
    const world = await createWorld();
    const before = await statuses(world);
    const { targets } = await pauseAll(world);
    const [first] = targets;
    const { settle } = await lockOne(world, first?.cid);
    const part = await resume(world);
    expect(part.detail).toMatchObject({
      skipped: [{ what: expect.stringContaining(`(${first?.cid})`) as string }],
    });
    await done(world, (await world.approve(await world.look(part.id))).proposal.id);
    expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: 1 } });

    await settle();
    const rest = await resume(world);
    expect(rest.targets).toMatchObject([{ cid: first?.cid, statusAfter: before.get(first?.cid ?? 0) }]);
    await done(world, (await world.approve(await world.look(rest.id))).proposal.id);
    expect(await statuses(world)).toEqual(before);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  });

  test('is proposed again for the campaigns that the service refused, and does not count the returned ones', async () => {
    const world = await createWorld();
    const before = await statuses(world);
    const { targets } = await pauseAll(world);
    const active = targets.filter(({ statusBefore }) => statusBefore === 1);
    const { id } = await resume(world);
    const display = await world.look(id);
    const disarm = world.service.faults.arm({ kind: 'answer', status: 402, path: '/update-status' });
    await done(world, (await world.approve(display)).proposal.id);
    disarm();
    expect(active.length).toBeLessThan(targets.length);
    expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: active.length } });
    const rest = await resume(world);
    expect(new Set(rest.targets.map(({ cid }) => cid))).toEqual(new Set(active.map(({ cid }) => cid)));
    await world.approve(await world.look(rest.id));
    expect(await statuses(world)).toEqual(before);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  });

  test('is not proposed again for campaigns that others have changed, once it was approved without them', async () => {
    const world = await createWorld();
    const { targets } = await pauseAll(world);
    await setStatus(world, [targets[0]?.cid], 2);
    const { id } = await resume(world);
    await done(world, (await world.approve(await world.look(id))).proposal.id);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  });

  test('skips a campaign that was activated and paused through the app since, and gives the reason', async () => {
    const world = await createWorld();
    const { targets } = await pauseAll(world);
    const [again, other] = targets;
    const setThroughApp = async (cid: number | undefined, status: 1 | 3): Promise<void> => {
      const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid ?? 0], status });
      expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
    };
    await setThroughApp(again?.cid, 1);
    await setThroughApp(again?.cid, 3);
    const { id, detail, targets: returning } = await resume(world);
    expect(returning.map(({ cid }) => cid)).not.toContain(again?.cid);
    expect(returning.map(({ cid }) => cid)).toContain(other?.cid);
    const because = 'Another change of its status through this app followed.';
    expect(detail).toMatchObject({ skipped: [{ what: `“${again?.name}” (${again?.cid})`, because }] });
    await done(world, (await world.approve(await world.look(id))).proposal.id);
    expect((await statuses(world)).get(again?.cid ?? 0)).toBe(3);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  });
});
