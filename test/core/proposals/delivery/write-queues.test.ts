import { expect, onTestFinished, test } from 'vitest';
import { createOverlaps } from '#core/proposals/delivery/compare-before-sending.ts';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { addMember, openDesktop, openLive } from '../../connections/live-world.ts';
import { admitAgent, oneWaits } from '../admit.ts';
import { createWorld, findCampaign, holdNext, proposeBid, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/** Holds the next call of a tool. The list of tools, which is read right before a call, is answered. */
function holdNextCall(world: World): ReturnType<typeof holdNext> {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  const toTools = { kind: 'meanwhile', method: 'POST', path: '/mcp' } as const;
  const hold = (): Promise<void> => {
    arrive();
    return released;
  };
  world.service.faults.arm({ ...toTools, run: () => world.service.faults.arm({ ...toTools, run: hold }) });
  return { arrived, letGo };
}

async function hangTool(world: World): Promise<{ cid: number; letGo(): Promise<void> }> {
  const agent = await admitAgent(world);
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const called = agent.change(cid, { name: 'Another name' });
  const display = await world.look((await oneWaits(world, 'tool.call')).id);
  const { arrived, letGo } = holdNextCall(world);
  const deciding = world.approve(display);
  await arrived;
  return {
    cid,
    async letGo() {
      letGo();
      expect((await deciding).proposal.state).toBe('verified');
      expect((await called).isError).toBeFalsy();
    },
  };
}

async function changeInFront({ core: { handlers } }: World): Promise<string> {
  const filter: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };
  const { rows } = await handlers['campaigns.page']({ filter, page: 1, perPage: 5 });
  const [row] = rows;
  if (row === undefined) throw new Error('The account has no campaign');
  const changes = [{ field: 'name', from: row.name, to: 'Another name' }];
  return (await proposeUpdate(handlers, { cid: row.cid, changes })).id;
}

test('a tool call without an answer does not delay a change in another profile, or the emergency pause in its own profile', async () => {
  const world = await openDesktop();
  const { handlers } = world.core;
  const hung = await hangTool(world);

  const live = await openLive();
  await addMember(world, live);
  const elsewhere = await changeInFront(world);
  expect((await world.approve(await world.look(elsewhere))).proposal.state).toBe('verified');

  await handlers['profiles.switch']({ id: 'demo' });
  const { id } = await handlers['emergencyStop.start']({});
  const pause = await handlers['proposals.get']({ id: id ?? '' });
  const because = expect.stringContaining('An earlier change to it is being sent.') as string;
  expect(pause.detail).toMatchObject({ skipped: [{ what: `“Another name” (${hung.cid})`, because }] });
  const { proposal: paused } = await world.approve(await world.look(pause.id));
  expect(paused.state).toBe('done');
  await hung.letGo();
});

test('two writes in one write queue are sent one after the other', async () => {
  const world = await createWorld();
  const first = await proposeBid(world);
  const { cid } = await findCampaign(world, (row) => row.status === 1 && row.cid !== first.cid);
  const second = await proposeBid(world, 0.9, cid);
  const displays = [await world.look(first.proposal.id), await world.look(second.proposal.id)];
  const { arrived, letGo } = holdNext(world, { method: 'PUT' });
  const deciding = displays.map((display) => world.approve(display));
  await arrived;
  const requests = world.service.requestLog().length;
  await new Promise((resolve) => void setImmediate(resolve));
  expect(await world.core.handlers['proposals.get']({ id: second.proposal.id })).toMatchObject({
    state: 'approved',
  });
  expect(world.service.requestLog()).toHaveLength(requests);
  letGo();
  for (const { proposal } of await Promise.all(deciding)) expect(proposal.state).toBe('verified');
});

test('a write that was compared with a read from before another write is compared again and not sent', async () => {
  const world = await createWorld();
  const agent = await admitAgent(world);
  const { proposal, cid } = await proposeBid(world);
  const called = agent.change(cid, { name: 'Another name' });
  const call = await world.look((await oneWaits(world, 'tool.call')).id);
  const bid = await world.look(proposal.id);
  const { arrived, letGo } = holdNext(world, { method: 'GET', path: `/campaigns/${cid}` });
  const deciding = world.approve(call);
  await arrived;
  expect((await world.approve(bid)).proposal.state).toBe('verified');
  letGo();
  expect((await deciding).proposal).toMatchObject({ state: 'stale', conflict: [{ field: 'payout' }] });
  expect(textOf(await called)).toContain('Nothing was sent.');
});

const of = (profileId: string, ...targets: number[]) => {
  const profile = { id: profileId, name: '', kind: 'live', account: '', zone: 'UTC' } as const;
  return { profile, targets };
};

test.each([
  ['to the read campaign repeats the read', of('a', 1, 2), true],
  ['to another campaign does not repeat it', of('a', 2), false],
  ['in another profile does not repeat it', of('b', 1), false],
  ['to an unknown campaign repeats it', of('a'), true],
])('a write during a read %s', async (_title, write, isOverlapped) => {
  const overlaps = createOverlaps();
  const { promise, resolve } = Promise.withResolvers<string>();
  const reading = overlaps.during(of('a', 1), () => promise);
  overlaps.report(write);
  resolve('read');
  expect(await reading).toEqual({ found: 'read', isOverlapped });
  expect(await overlaps.during(of('a', 1), async () => 'again')).toMatchObject({ isOverlapped: false });
});
