import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { Display } from '#shared/host-api/index.ts';
import { campaignNow, createWorld, proposeBid, kindsOf, type World } from '../world.ts';
import { failWrites } from '#test/servers/stored-rows.ts';
import { eventually } from '#test/setup/eventually.ts';

const requestMs = 10_000;

interface Shown {
  world: World;
  display: Display;
  id: string;
  cid: number;
  to: number;
}

async function showBid(): Promise<Shown> {
  const world = await createWorld({ requestMs });
  const { proposal, cid, to } = await proposeBid(world);
  return { world, display: await world.look(proposal.id), id: proposal.id, cid, to };
}

const databaseOf = ({ folder }: World): string => join(folder, 'countersign.sqlite');

/** Makes writes to the disk fail from the moment at which the service gets a request with this method. */
function failWritesFrom(world: World, method: 'GET' | 'PUT'): () => void {
  let heal = (): void => {};
  world.service.faults.arm({
    kind: 'meanwhile',
    method,
    path: '/login/campaigns',
    run: () => void (heal = failWrites(databaseOf(world))),
  });
  return () => heal();
}

function get(world: World, id: string): Promise<ProposalView> {
  return world.core.handlers['proposals.get']({ id });
}

describe('when the disk fails after the service has stored the change', () => {
  test('the person learns that the outcome is unknown, and the change is settled without a second write once the disk works', async () => {
    const { world, display, id, cid, to } = await showBid();
    const heal = failWritesFrom(world, 'PUT');
    const { proposal, again } = await world.approve(display);
    expect(proposal).toMatchObject({ id, state: 'unknown', outcome: { code: 'accepted_not_read' } });
    expect(again).toBeNull();
    heal();
    expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBe(id);
    world.clock.advance(500);
    await eventually(async () => expect((await get(world, id)).state).toBe('verified'));
    expect((await kindsOf(world, id)).slice(-3)).toEqual(['write.intent', 'write.unknown', 'write.verified']);
    expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBeNull();
    expect(await campaignNow(world, cid)).toMatchObject({ payout: to });
    expect(world.puts()).toBe(1);
    expect(await world.core.handlers['ledger.verify']({})).toMatchObject({ state: 'verified' });
  });

  test('“Check now” settles the change once the disk works', async () => {
    const { world, display, id } = await showBid();
    const heal = failWritesFrom(world, 'PUT');
    await world.approve(display);
    await expect(world.core.handlers['proposals.settle']({ id })).rejects.toMatchObject({
      code: 'storage_failed',
    });
    heal();
    expect(await world.core.handlers['proposals.settle']({ id })).toMatchObject({ state: 'verified' });
    expect(world.puts()).toBe(1);
  });

  test('a refusal that could not be recorded remains a refusal', async () => {
    const { world, display, id } = await showBid();
    const heal = failWritesFrom(world, 'PUT');
    world.service.faults.arm({ kind: 'answer', status: 402, method: 'PUT' });
    const refused = { state: 'refused', outcome: { code: 'insufficient_balance' } };
    expect((await world.approve(display)).proposal).toMatchObject(refused);
    heal();
    expect(await world.core.handlers['proposals.settle']({ id })).toMatchObject(refused);
    expect((await kindsOf(world, id)).slice(-2)).toEqual(['write.intent', 'write.refused']);
  });

  test('a restart settles the change once the disk works', async () => {
    const { world, display, id } = await showBid();
    const heal = failWritesFrom(world, 'PUT');
    await world.approve(display);
    heal();
    const restarted = await world.restart();
    await eventually(async () => expect((await get(restarted, id)).state).toBe('verified'));
    expect(restarted.puts()).toBe(0);
  });
});

describe('when the disk fails before the intent is written', () => {
  test('nothing is sent, the person is informed, and the proposal is withdrawn once the disk works', async () => {
    const { world, display, id, cid } = await showBid();
    const before = await campaignNow(world, cid);
    const heal = failWritesFrom(world, 'GET');
    const withdrawn = { state: 'withdrawn', outcome: { code: 'stopped_before_sending' } };
    expect((await world.approve(display)).proposal).toMatchObject(withdrawn);
    heal();
    world.clock.advance(500);
    expect(await get(world, id)).toMatchObject(withdrawn);
    expect(await campaignNow(world, cid)).toEqual(before);
    expect(world.puts()).toBe(0);
    expect((await kindsOf(world, id)).slice(-2)).toEqual(['proposal.approved', 'proposal.withdrawn']);
  });

  test('an approval that cannot be recorded sends nothing and can be repeated', async () => {
    const { world, display, id } = await showBid();
    const heal = failWrites(databaseOf(world));
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'storage_failed' });
    heal();
    expect((await get(world, id)).state).toBe('shown');
    expect((await world.approve(display)).proposal.state).toBe('verified');
  });
});

test('a ledger that fails while the change is sent leaves the outcome unknown until it verifies again', async () => {
  const { world, display, id, cid } = await showBid();
  const anchor = join(world.folder, 'ledger.anchor.json');
  world.service.faults.arm({
    kind: 'meanwhile',
    method: 'PUT',
    run: async () => {
      renameSync(anchor, `${anchor}.away`);
      await world.core.handlers['session.status']({});
      renameSync(`${anchor}.away`, anchor);
    },
  });
  expect((await world.approve(display)).proposal.state).toBe('unknown');
  await expect(world.core.handlers['proposals.settle']({ id })).rejects.toMatchObject({
    code: 'ledger_broken',
  });
  expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBe(id);
  await world.core.handlers['ledger.verify']({});
  expect(await world.core.handlers['proposals.settle']({ id })).toMatchObject({ state: 'verified' });
  expect(world.puts()).toBe(1);
});
