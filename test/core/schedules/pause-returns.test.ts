import { expect, test } from 'vitest';
import { everyRow, type AppOutput, type PauseReturnView } from '#shared/app-api/index.ts';
import {
  addSecondProfile,
  campaignNow,
  changeElsewhere,
  createWorld,
  type World,
} from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { eventually } from '#test/setup/eventually.ts';

const hourMs = 3_600_000;
const friday = Date.parse('2026-11-27T18:00:00Z');
const monday = Date.parse('2026-11-30T08:00:00Z');

const openWorld = (): Promise<World> =>
  createWorld({ campaigns: 60, clock: createManualClock(friday), host: 'desktop' });

async function running(world: World, count: number): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data
    .filter(({ status }) => status === 1)
    .map(({ cid }) => cid)
    .slice(0, count);
}

async function pauseUntil(world: World, cids: number[], returnAtMs = monday): Promise<string> {
  const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3, returnAtMs });
  expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
  return id;
}

async function returnsOf({ core }: World): Promise<PauseReturnView[]> {
  return (await core.handlers['schedules.list']({ read: false })).returns;
}

async function waiting({ core }: World): Promise<AppOutput<'proposals.list'>['items']> {
  const asked = { which: 'waiting', before: null, limit: 10 } as const;
  return (await core.handlers['proposals.list'](asked)).items;
}

/** Lets time pass until the only return is in this state. */
async function untilReturn(world: World, state: PauseReturnView['state']): Promise<PauseReturnView> {
  return eventually(async () => {
    world.clock.advance(1_000);
    const [only] = await returnsOf(world);
    expect(only).toMatchObject({ state });
    return only!;
  });
}

async function kinds({ core }: World): Promise<string[]> {
  const { items } = await core.handlers['ledger.list']({ beforeSeq: null, limit: 50, filter: everyRow });
  return items.map(({ kind }) => kind);
}

test('the return of a timed pause is shown, is due at its time, and starts nothing until a person approves it', async () => {
  const world = await openWorld();
  const cids = await running(world, 2);
  const { core, clock } = world;
  const pause = await core.handlers['campaigns.proposeStatus']({ cids, status: 3, returnAtMs: monday });
  expect(pause.title).toBe('Pause 2 running campaigns until Mon 30 Nov 2026, 08:00');
  expect(pause.risk.notes).toContain('Returns Mon 30 Nov 2026, 08:00 (UTC): will ask you again.');
  expect(await returnsOf(world)).toEqual([]);
  await world.approve(await world.look(pause.id));
  expect(await returnsOf(world)).toMatchObject([
    {
      atMs: monday,
      state: 'planned',
      pausedCount: 2,
      changedCount: 0,
      campaigns: cids.map((cid) => ({ cid })),
    },
  ]);
  // The list does not offer the same return besides.
  expect((await core.handlers['campaigns.returns']({})).items).toEqual([]);

  clock.advance(monday - friday - hourMs);
  expect(await waiting(world)).toEqual([]);
  const puts = world.puts();
  clock.advance(hourMs);
  const { proposal } = await untilReturn(world, 'waiting');
  expect(await waiting(world)).toMatchObject([{ id: proposal!.id }]);
  expect(world.puts()).toBe(puts);
  const back = await core.handlers['proposals.get']({ id: proposal!.id });
  expect(back).toMatchObject({
    title: 'Return from a pause: Activate 2 campaigns',
    proposedBy: { kind: 'schedule', name: 'Pause until Mon 30 Nov 2026, 08:00' },
    undo: { undoes: pause.id },
  });
  // It waits as long as a person needs.
  clock.advance(40 * hourMs);
  await world.approve(await world.look(proposal!.id));
  for (const cid of cids) expect((await campaignNow(world, cid))['status']).toBe(1);
  expect(await returnsOf(world)).toMatchObject([{ state: 'decided', proposal: { state: 'verified' } }]);
});

test('a denied pause has no return', async () => {
  const world = await openWorld();
  const cids = await running(world, 1);
  const { id } = await world.core.handlers['campaigns.proposeStatus']({
    cids,
    status: 3,
    returnAtMs: monday,
  });
  await world.deny(await world.look(id));
  expect(await returnsOf(world)).toEqual([]);
});

test('a return that became due while the app was off is due at the next start', async () => {
  const world = await openWorld();
  const [cid = 0] = await running(world, 1);
  await pauseUntil(world, [cid]);
  await world.core.dispose();
  world.clock.advance(4 * 24 * hourMs);
  const again = await world.restart();
  const { proposal } = await untilReturn(again, 'waiting');
  // A restart proposes it once.
  const third = await again.restart();
  await untilReturn(third, 'waiting');
  expect(await waiting(third)).toMatchObject([{ id: proposal!.id }]);
  await third.approve(await third.look(proposal!.id));
  expect((await campaignNow(third, cid))['status']).toBe(1);
});

test('a return is due when the clock was set forward or the machine slept', async () => {
  const world = await openWorld();
  await pauseUntil(world, await running(world, 1));
  world.clock.setForward(monday - friday);
  world.core.resume();
  expect((await untilReturn(world, 'waiting')).proposal).not.toBeNull();
});

test('a return skips campaigns that others changed meanwhile, and says so', async () => {
  const world = await openWorld();
  const [kept = 0, elsewhere = 0, here = 0] = await running(world, 3);
  await pauseUntil(world, [kept, elsewhere, here]);
  await changeElsewhere(world, elsewhere, { status: 2 });
  const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [here], status: 2 });
  await world.approve(await world.look(id));
  expect(await returnsOf(world)).toMatchObject([{ pausedCount: 3, changedCount: 1 }]);
  world.clock.advance(monday - friday);
  const { proposal } = await untilReturn(world, 'waiting');
  const back = await world.core.handlers['proposals.get']({ id: proposal!.id });
  expect(JSON.parse(back.payload)).toEqual({ ids: [kept], status: 1 });
  expect(back.risk.notes.filter((note) => note.includes('is left as it is'))).toHaveLength(2);
});

test('a return ends with a reason if others changed all of its campaigns', async () => {
  const world = await openWorld();
  const [cid = 0] = await running(world, 1);
  await pauseUntil(world, [cid]);
  await changeElsewhere(world, cid, { status: 1 });
  world.clock.advance(monday - friday);
  const { ended } = await untilReturn(world, 'ended');
  expect(ended).toContain('It is Active now: changed since, not through this app.');
  expect(await waiting(world)).toEqual([]);
  expect(await kinds(world)).toContain('return.ended');
});

test('a return restores each status, so a scheduled campaign is scheduled again', async () => {
  const world = await openWorld();
  const [active = 0] = await running(world, 1);
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const scheduled = data.find(({ status }) => status === 4)!.cid;
  await pauseUntil(world, [active, scheduled]);
  world.clock.advance(monday - friday);
  const { proposal } = await untilReturn(world, 'waiting');
  await world.approve(await world.look(proposal!.id));
  expect((await campaignNow(world, active))['status']).toBe(1);
  expect((await campaignNow(world, scheduled))['status']).toBe(4);
});

test('a return can be moved, and a cancelled return is not proposed but offered again as a resume', async () => {
  const world = await openWorld();
  const { handlers } = world.core;
  const pauseId = await pauseUntil(world, await running(world, 1));
  const [{ id } = { id: '' }] = await returnsOf(world);
  await expect(handlers['schedules.moveReturn']({ id, atMs: friday })).rejects.toMatchObject({
    code: 'return_time_passed',
  });
  await handlers['schedules.moveReturn']({ id, atMs: monday + hourMs });
  world.clock.advance(monday - friday);
  expect(await returnsOf(world)).toMatchObject([{ state: 'planned', atMs: monday + hourMs }]);
  await handlers['schedules.cancelReturn']({ id });
  await expect(handlers['schedules.cancelReturn']({ id })).rejects.toMatchObject({
    code: 'return_not_planned',
  });
  world.clock.advance(2 * hourMs);
  expect([await returnsOf(world), await waiting(world)]).toEqual([[], []]);
  expect((await handlers['campaigns.returns']({})).items).toMatchObject([{ proposalId: pauseId }]);
  expect(await kinds(world)).toEqual(expect.arrayContaining(['return.moved', 'return.cancelled']));
});

test('a return can be prepared before its time on request', async () => {
  const world = await openWorld();
  const [cid = 0] = await running(world, 1);
  await pauseUntil(world, [cid]);
  const [{ id } = { id: '' }] = await returnsOf(world);
  const back = await world.core.handlers['schedules.returnNow']({ id });
  await world.approve(await world.look(back.id));
  expect((await campaignNow(world, cid))['status']).toBe(1);
  world.clock.advance(monday - friday);
  expect(await returnsOf(world)).toMatchObject([{ state: 'decided' }]);
});

test('a campaign with two returns comes back with the return of the later pause', async () => {
  const world = await openWorld();
  const [cid = 0, other = 0] = await running(world, 2);
  await pauseUntil(world, [cid, other]);
  await changeElsewhere(world, cid, { status: 1 });
  const second = await pauseUntil(world, [cid], monday + hourMs);
  world.clock.advance(monday - friday);
  await eventually(async () => {
    world.clock.advance(1_000);
    expect((await returnsOf(world)).map(({ state }) => state)).toEqual(['waiting', 'planned']);
  });
  const [first] = await waiting(world);
  const { payload } = await world.core.handlers['proposals.get']({ id: first!.id });
  expect(JSON.parse(payload)).toEqual({ ids: [other], status: 1 });
  world.clock.advance(hourMs);
  await eventually(async () => {
    world.clock.advance(1_000);
    expect((await returnsOf(world)).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  });
  const later = (await returnsOf(world))[1]!;
  expect(later.pauseId).toBe(second);
  await world.approve(await world.look(later.proposal!.id));
  expect((await campaignNow(world, cid))['status']).toBe(1);
});

test('a due return waits for a person’s decision while agents are frozen', async () => {
  const world = await openWorld();
  const [cid = 0] = await running(world, 1);
  await pauseUntil(world, [cid]);
  await world.core.handlers['agents.freeze']({});
  world.clock.advance(monday - friday);
  const { proposal } = await untilReturn(world, 'waiting');
  await world.approve(await world.look(proposal!.id));
  expect((await campaignNow(world, cid))['status']).toBe(1);
});

test('a return is also due in an inactive profile, and is tried again until its campaigns can be read', async () => {
  const world = await openWorld();
  const { handlers } = world.core;
  const [cid = 0] = await running(world, 1);
  await pauseUntil(world, [cid]);
  const answer = world.service.faults.arm({ kind: 'answer', status: 503, lasts: true });
  world.clock.advance(monday - friday);
  await eventually(async () => {
    world.clock.advance(1_000);
    const [due] = await returnsOf(world);
    expect(due).toMatchObject({ state: 'due', proposal: null });
    expect(due!.failure).not.toBeNull();
  });
  answer();
  await handlers['profiles.switch']({ id: await addSecondProfile(world) });
  await eventually(async () => {
    world.clock.advance(1_000);
    expect(await waiting(world)).toHaveLength(1);
  });
  expect(await waiting(world)).toMatchObject([{ profile: { id: 'demo' } }]);
});

test('a pause cannot be sent once the time of its return has passed', async () => {
  const world = await openWorld();
  const { handlers } = world.core;
  const cids = await running(world, 1);
  const soon = friday + 60_000;
  const ask = () => handlers['campaigns.proposeStatus']({ cids, status: 3, returnAtMs: soon });
  const { id } = await ask();
  const display = await world.look(id);
  world.clock.advance(120_000);
  const puts = world.puts();
  const { proposal } = await world.approve(display);
  expect([proposal.state, proposal.outcome?.code]).toEqual(['stale', 'return_time_passed']);
  expect(world.puts()).toBe(puts);
  expect(await returnsOf(world)).toEqual([]);
  await expect(ask()).rejects.toMatchObject({ code: 'return_time_passed' });
  const start = { cids, status: 1, returnAtMs: monday };
  await expect(handlers['campaigns.proposeStatus'](start)).rejects.toMatchObject({ code: 'bad_input' });
});

test('a large pause that is sent in parts has one return', async () => {
  const world = await openWorld();
  const cids = await running(world, 2);
  for (const cid of cids) await pauseUntil(world, [cid]);
  await world.core.dispose();
  changeFile(`${world.folder}/countersign.sqlite`, `UPDATE pause_return SET id = 'one'`);
  const again = await world.restart();
  expect(await returnsOf(again)).toMatchObject([{ pausedCount: 2, state: 'planned' }]);
  again.clock.advance(monday - friday);
  const { proposal } = await untilReturn(again, 'waiting');
  const { payload } = await again.core.handlers['proposals.get']({ id: proposal!.id });
  expect(JSON.parse(payload)).toEqual({ ids: cids, status: 1 });
});

test('a forged row can propose at most what the app remembers, and a person decides', async () => {
  const world = await openWorld();
  const cids = await running(world, 1);
  const before = world.puts();
  await world.core.dispose();
  changeFile(
    `${world.folder}/countersign.sqlite`,
    `INSERT INTO pause_return (pause_id, id, profile_id, at_ms) VALUES ('no-pause', 'planted', 'demo', 1)`,
  );
  const again = await world.restart();
  const { ended } = await untilReturn(again, 'ended');
  expect(ended).toContain('There is no such proposal.');
  expect([await waiting(again), again.puts() - before]).toEqual([[], 0]);
  expect((await campaignNow(again, cids[0]!))['status']).toBe(1);
});
