import { expect, test } from 'vitest';
import { changeElsewhere, campaignNow, createWorld, type World } from '../world.ts';

async function cidsWith(world: World, status: number, count: number): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const found = data.filter((row) => row.status === status).map(({ cid }) => cid);
  expect(found.length).toBeGreaterThanOrEqual(count);
  return found.slice(0, count);
}

async function pauseRunning(world: World, cids: number[]): Promise<string> {
  const { id } = await world.core.handlers['campaigns.proposeStatus']({
    cids,
    status: 3,
    targeted: 'running',
  });
  expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
  return id;
}

async function offers(world: World): Promise<[string, number[]][]> {
  const { items } = await world.core.handlers['campaigns.returns']({});
  return items.map(({ proposalId, cids }) => [proposalId, cids]);
}

test('a pause of running campaigns offers their return until the return is approved, even after a restart', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = await cidsWith(world, 1, 3);
  const id = await pauseRunning(world, cids);
  const again = await world.restart();
  expect(await offers(again)).toEqual([[id, cids]]);

  const back = await again.core.handlers['campaigns.proposeReturn']({ proposalId: id });
  expect(JSON.parse(back.payload)).toEqual({ ids: cids, status: 1 });
  expect(back.warnings.map(({ code }) => code)).toContain('activates');
  expect(await offers(again)).toEqual([]);
  await again.deny(await again.look(back.id));
  expect(await offers(again)).toEqual([[id, cids]]);

  const { id: second } = await again.core.handlers['campaigns.proposeReturn']({ proposalId: id });
  await again.approve(await again.look(second));
  for (const cid of cids) expect((await campaignNow(again, cid))['status']).toBe(1);
  expect(await offers(again)).toEqual([]);
});

test('a dismissed return is not offered again, and a pause of a whole selection offers none', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [one = 0, other = 0] = await cidsWith(world, 1, 2);
  const id = await pauseRunning(world, [one]);
  await world.core.handlers['campaigns.dismissReturn']({ proposalId: id });
  expect(await offers(world)).toEqual([]);
  const all = await world.core.handlers['campaigns.proposeStatus']({ cids: [other], status: 3 });
  await world.approve(await world.look(all.id));
  expect(await offers(world)).toEqual([]);
});

test('campaigns with different statuses return to their own status, each status in one decision', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [active = 0] = await cidsWith(world, 1, 1);
  const [scheduled = 0] = await cidsWith(world, 4, 1);
  const id = await pauseRunning(world, [active, scheduled]);
  const back = await world.core.handlers['campaigns.proposeReturn']({ proposalId: id });
  expect(back.operation).toBe('batch');
  expect(back.title).toMatch(/^2 campaigns return to their status of \d\d:\d\d$/);
  await world.approve(await world.look(back.id));
  expect((await campaignNow(world, active))['status']).toBe(1);
  expect((await campaignNow(world, scheduled))['status']).toBe(4);
});

test('a return skips campaigns that were changed since, and is the undo of the pause, proposed once', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [kept = 0, changed = 0, removed = 0] = await cidsWith(world, 1, 3);
  const id = await pauseRunning(world, [kept, changed, removed]);
  const { id: later } = await world.core.handlers['campaigns.proposeStatus']({ cids: [changed], status: 2 });
  await world.approve(await world.look(later));
  expect(await offers(world)).toEqual([[id, [kept, removed]]]);
  const { items } = await world.core.handlers['campaigns.returns']({});
  expect(items).toMatchObject([{ pausedCount: 3 }]);
  await changeElsewhere(world, removed, { status: 2 });
  const propose = () => world.core.handlers['campaigns.proposeReturn']({ proposalId: id });
  const [back, second] = await Promise.all([propose(), propose()]);
  expect([second.id, (await propose()).id, back.undo?.undoes]).toEqual([back.id, back.id, id]);
  expect(JSON.parse(back.payload)).toEqual({ ids: [kept], status: 1 });
  const stays = back.risk.notes.filter((note) => note.includes('is left as it is'));
  expect(stays).toEqual([
    expect.stringMatching(
      new RegExp(
        `\\(${changed}\\) is left as it is\\. It is Suspended now: another change through this app followed\\.$`,
      ),
    ),
    expect.stringMatching(
      new RegExp(
        `\\(${removed}\\) is left as it is\\. It is Suspended now: changed since, not through this app\\.$`,
      ),
    ),
  ]);
});

test('an undo of the pause on the Proposals page ends the offer of the return', async () => {
  const world = await createWorld({ campaigns: 60 });
  const id = await pauseRunning(world, await cidsWith(world, 1, 2));
  const undo = await world.core.handlers['proposals.undo']({ id });
  expect(await offers(world)).toEqual([]);
  await world.deny(await world.look(undo.id));
  expect((await offers(world)).map(([pause]) => pause)).toEqual([id]);
});

test('if others changed every campaign of the pause, the first is named and the offer ends', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = await cidsWith(world, 1, 2);
  const id = await pauseRunning(world, cids);
  for (const cid of cids) await changeElsewhere(world, cid, { status: 1 });
  await expect(world.core.handlers['campaigns.proposeReturn']({ proposalId: id })).rejects.toMatchObject({
    code: 'nothing_to_reverse',
    message: expect.stringContaining('It is Active now: changed since, not through this app.') as string,
  });
  expect(await offers(world)).toEqual([]);
});

test('the pause of an emergency stop offers no separate return, because ending the stop resumes the campaigns', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = await cidsWith(world, 1, 2);
  await world.core.handlers['emergencyStop.setCampaigns']({ kind: 'chosen', cids });
  const { id } = await world.core.handlers['emergencyStop.start']({});
  expect((await world.approve(await world.look(id!))).proposal.state).toBe('verified');
  expect(await offers(world)).toEqual([]);
});
