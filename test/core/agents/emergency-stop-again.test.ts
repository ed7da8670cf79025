import { describe, expect, test, vi } from 'vitest';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import { changeElsewhere, createWorld, proposeBid, type World } from '../proposals/world.ts';
import {
  cidsWith,
  leaveUnknown,
  admitAgent,
  emergencyStopView,
  pauseAll,
  replace,
  start,
  statuses,
} from './emergency-stop-scene.ts';

const setStatus = (world: World, cids: readonly (number | undefined)[], status: number): Promise<void> =>
  world.other.updateStatus(JSON.stringify({ ids: cids, status }));

/** Returns the ids that await a decision: each batch once. */
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
  await vi.waitFor(async () => expect((await view(world, id)).state).toBe('done'), 10_000);
}

/** A bid whose outcome is unknown keeps its campaign locked, until a read finds it stored. */
async function lockOne(
  world: World,
  ...wanted: (number | undefined)[]
): Promise<{ cid: number; settle: () => Promise<void> }> {
  const { proposal, cid, to } = await proposeBid(world, 1.1, ...wanted);
  leaveUnknown(world, proposal.id);
  return {
    cid,
    async settle() {
      await changeElsewhere(world, cid, { payout: to });
      await world.core.handlers['proposals.settle']({ id: proposal.id });
    },
  };
}

describe('pressed again while a pause waits', () => {
  test('it shows that one, also where campaigns have stopped since or cannot be read', async () => {
    const world = await createWorld();
    const { id, targets } = await start(world);
    await setStatus(world, [targets[0]?.cid], 2);
    expect((await start(world)).id).toBe(id);
    world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: '/campaigns' });
    expect((await start(world)).id).toBe(id);
    expect(await waiting(world)).toEqual([id]);
  });

  test('it shows the one that took its place', async () => {
    const world = await createWorld();
    const first = await start(world);
    const cids = first.targets.map(({ cid }) => cid);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
    replace(world, first.id, id);
    expect((await start(world)).id).toBe(id);
    expect(await waiting(world)).toEqual([id]);
  });

  test('one pause with everything that runs by now stands in for it', async () => {
    const world = await createWorld();
    const first = await start(world);
    const [back] = await cidsWith(world, 3);
    await setStatus(world, [back], 1);
    const second = await start(world);
    expect(second.targets).toHaveLength(first.targets.length + 1);
    expect(await waiting(world)).toEqual([second.id]);
    expect(await view(world, first.id)).toMatchObject({ state: 'withdrawn' });
  });

  test('one that could not be approved any more, because a write began, is taken back with its parts', async () => {
    const world = await createWorld();
    const { cid, settle } = await lockOne(world);
    const first = await start(world);
    await settle();
    await vi.waitFor(async () => expect(await waiting(world)).toHaveLength(2), 10_000);
    const other = first.targets.find(({ statusBefore }) => statusBefore === 1)?.cid ?? 0;
    await lockOne(world, other);
    const second = await start(world);
    expect(second.targets.map((target) => target.cid)).toContain(cid);
    expect(second.targets.map((target) => target.cid)).not.toContain(other);
    expect(await waiting(world)).toEqual([second.id]);
  });
});

test('it names the other profiles of agents: the pause is for the active profile alone', async () => {
  const world = await createWorld({ host: 'desktop' });
  const elsewhere = 'http://127.0.0.1:9';
  const { id } = await world.core.handlers['profiles.add']({
    name: 'Southwind',
    zone: 'UTC',
    baseUrl: `${elsewhere}/api/v1`,
    apiUrl: elsewhere,
    mcpUrl: elsewhere,
    remoteAccess: 'oauth',
  });
  for (const profileId of [id, id, 'demo']) admitAgent(world, profileId);
  expect(await emergencyStopView(world)).toMatchObject({
    profile: 'Northwind Media',
    elsewhere: ['Southwind'],
  });
  expect(await world.core.handlers['emergencyStop.start']({})).toMatchObject({
    say: 'Agents are frozen everywhere. The pause is for “Northwind Media”; switch to “Southwind” to pause there.',
  });
});

describe('a campaign whose change was under way', () => {
  test('is paused as soon as that is settled, by a pause of its own, and comes back with the others', async () => {
    const world = await createWorld();
    const before = await statuses(world);
    const { cid, settle } = await lockOne(world);
    const { say } = await world.core.handlers['emergencyStop.start']({});
    expect(say).toContain('One running campaign has a change in progress');
    const [pause = ''] = await waiting(world);
    const { proposal } = await world.approve(await world.look(pause));
    await done(world, proposal.id);
    expect(await cidsWith(world, 1, 4)).toEqual([cid]);

    await settle();
    await vi.waitFor(async () => expect(await waiting(world)).toHaveLength(1), 10_000);
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

  test('is asked for again where campaigns could not be read then', async () => {
    const world = await createWorld();
    const { cid, settle } = await lockOne(world);
    const { id } = await start(world);
    world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: '/campaigns/campaigns' });
    await settle();
    await vi.waitFor(() => expect(world.service.faults.armed).toBe(0), 10_000);
    expect(await waiting(world)).toEqual([id]);
    await world.approve(await world.look(id));
    await vi.waitFor(async () => expect(await waiting(world)).toHaveLength(1), 4_000);
    const [followUp = ''] = await waiting(world);
    expect(await view(world, followUp)).toMatchObject({ targets: [{ cid }] });
  });
});

describe('the return', () => {
  test('keeps what it had to leave out: a locked campaign comes back later', async () => {
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

  test('of which the service refused a half counts the other half no more', async () => {
    const world = await createWorld();
    const { targets } = await pauseAll(world);
    const active = targets.filter(({ statusBefore }) => statusBefore === 1);
    const { id } = await resume(world);
    const showing = await world.look(id);
    const disarm = world.service.faults.arm({ kind: 'answer', status: 402, path: '/update-status' });
    await done(world, (await world.approve(showing)).proposal.id);
    disarm();
    expect(active.length).toBeLessThan(targets.length);
    expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: active.length } });
    const rest = await resume(world);
    expect(new Set(rest.targets.map(({ cid }) => cid))).toEqual(new Set(active.map(({ cid }) => cid)));
  });

  test('that was approved to leave what others have taken over asks for it no more', async () => {
    const world = await createWorld();
    const { targets } = await pauseAll(world);
    await setStatus(world, [targets[0]?.cid], 2);
    const { id } = await resume(world);
    await done(world, (await world.approve(await world.look(id))).proposal.id);
    expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  });

  test('leaves a campaign that was activated and paused again through the app since, and says why', async () => {
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
