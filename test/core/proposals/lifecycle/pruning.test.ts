import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { pauseAll } from '../../agents/emergency-stop-scene.ts';
import { leaveProposal } from '#test/servers/stores.ts';
import { asAgent } from '../undo/agent-writes.ts';
import { createWorld, proposeBid, type World } from '../world.ts';

const dayMs = 86_400_000;

/** Makes an agent's change that is approved and verified. Returns its id. */
async function verified(world: World): Promise<string> {
  const { proposal } = await proposeBid(world);
  const { proposal: after } = await world.approve(await world.look(proposal.id));
  expect(after.state).toBe('verified');
  return asAgent(world, proposal.id, 'Ada');
}

/** Returns a proposal's payload as its page gets it; empty once its details are pruned. */
async function payloadOf(world: World, id: string): Promise<string> {
  return (await world.core.handlers['proposals.get']({ id })).payload;
}

/** Lets days pass and prunes what is due, as the program does when it is idle. */
async function pass(world: World, days: number): Promise<void> {
  world.clock.advance(days * dayMs);
  await quiet();
}

/** Waits until a pruning run has ended. The run takes one turn of the event loop per few proposals. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await setImmediate();
}

const everything = { agentId: null, sinceMs: 0 };

describe('the details of a settled proposal', () => {
  test('are removed after 30 days, and its page, the net effect and a reversal state that they were removed', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const id = await verified(world);
    await pass(world, 29);
    expect(await handlers['proposals.get']({ id })).toMatchObject({
      payload: expect.stringContaining('payout') as string,
      prunedAtMs: null,
    });
    expect(await handlers['ledger.netEffect'](everything)).toMatchObject({ prunedCount: 0 });
    expect((await handlers['ledger.netEffect'](everything)).items).toHaveLength(1);

    await pass(world, 2);
    expect(await handlers['proposals.get']({ id })).toMatchObject({
      state: 'verified',
      payload: '',
      changes: [],
      prunedAtMs: expect.any(Number) as number,
      title: expect.stringContaining('bid') as string,
    });
    expect(await handlers['ledger.netEffect'](everything)).toEqual({
      items: [],
      prunedCount: 1,
      unreadableCount: 0,
    });
    await expect(handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
      message: expect.stringContaining('details were removed') as string,
    });
    expect(await handlers['ledger.verify']({})).toMatchObject({ state: 'verified' });
  });

  test('are named among what a reversal skips, and the reversal covers the rest', async () => {
    const world = await createWorld();
    await verified(world);
    await pass(world, 31);
    await verified(world);
    const { id } = await world.core.handlers['ledger.reverse'](everything);
    const { detail } = await world.core.handlers['proposals.get']({ id });
    expect(detail).toMatchObject({ kind: 'batch', skipped: [{ what: '1 older change' }] });
  });

  test('are kept while its outcome is unknown or a decision is pending', async () => {
    const world = await createWorld();
    const id = await verified(world);
    leaveProposal(world.folder, id, { state: 'unknown' });
    await pass(world, 400);
    expect(await payloadOf(world, id)).not.toBe('');
  });

  test('are kept while an emergency stop can still be taken back', async () => {
    const world = await createWorld();
    const pause = await pauseAll(world);
    await pass(world, 400);
    expect(await payloadOf(world, pause.id)).not.toBe('');
    const { id } = await world.core.handlers['emergencyStop.resume']({});
    expect((await world.core.handlers['proposals.get']({ id })).state).toMatch(/proposed|shown/);
  });
});

describe('retention of details', () => {
  test('is set by a person, recorded in the ledger, and applied immediately', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const id = await verified(world);
    await pass(world, 10);
    expect(await handlers['ledger.retentionDays']({})).toEqual({ days: 30 });
    await handlers['ledger.setRetentionDays']({ days: 7 });
    await quiet();
    expect(await payloadOf(world, id)).toBe('');
    const filter = { ...everyRow, about: 'details' };
    const { items } = await handlers['ledger.list']({ beforeSeq: null, limit: 5, filter });
    expect(items).toMatchObject([
      { kind: 'details.kept', actor: 'You', summary: 'Details of settled changes are kept for 7 days' },
    ]);
  });

  test('can be unlimited', async () => {
    const world = await createWorld();
    const id = await verified(world);
    await world.core.handlers['ledger.setRetentionDays']({ days: null });
    await pass(world, 4000);
    expect(await payloadOf(world, id)).not.toBe('');
    const again = await world.restart();
    expect(await again.core.handlers['ledger.retentionDays']({})).toEqual({ days: null });
  });
});
