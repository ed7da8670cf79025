import { describe, expect, test } from 'vitest';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import {
  campaignNow,
  changeElsewhere,
  createWorld,
  findCampaign,
  proposeBid,
  kindsOf,
  type World,
} from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { leaveProposal } from '#test/servers/stores.ts';
import { eventually } from '#test/setup/eventually.ts';

const requestMs = 10_000;

function get(world: World, id: string): Promise<ProposalView> {
  return world.core.handlers['proposals.get']({ id });
}

/** Approves a bid whose answer is lost in this way, while every read fails. */
async function loseAnswer(
  world: World,
  fault: Parameters<World['service']['faults']['arm']>[0],
): Promise<{ id: string; cid: number; before: object; to: number }> {
  const { proposal, cid, to } = await proposeBid(world);
  const before = await campaignNow(world, cid);
  const display = await world.look(proposal.id);
  world.service.faults.arm(fault);
  const { proposal: unknown } = await world.approve(display);
  expect(unknown).toMatchObject({ state: 'unknown', outcome: { code: 'outcome_unknown' } });
  return { id: proposal.id, cid, before, to };
}

describe('when the connection is cut after the write reached the service,', () => {
  test('the outcome is unknown until a read settles it, and the service receives one write', async () => {
    const world = await createWorld({ requestMs });
    const { id, cid, to } = await loseAnswer(world, { kind: 'cut-after-write' });
    await eventually(async () => expect((await get(world, id)).state).toBe('verified'));
    expect(await campaignNow(world, cid)).toMatchObject({ payout: to });
    expect(world.puts()).toBe(1);
    expect((await get(world, id)).outcome).toBeNull();
    expect((await kindsOf(world, id)).slice(-3)).toEqual(['write.intent', 'write.unknown', 'write.verified']);
  });

  test('the campaign stays locked while the service cannot be read, and “Check now” settles the outcome', async () => {
    const world = await createWorld({ requestMs });
    for (let reads = 0; reads < 3; reads += 1) {
      world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run: () => armReadFailure(world) });
    }
    const { id, cid } = await loseAnswer(world, { kind: 'cut-after-write' });
    await eventually(() => expect(world.service.faults.armed).toBe(2));
    const locked = await world.core.handlers['campaigns.get']({ cid });
    expect(locked.lockedBy).toBe(id);
    expect(await world.core.handlers['session.status']({})).toMatchObject({ unknown: 1 });
    await expect(
      world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 }),
    ).rejects.toMatchObject({ code: 'campaign_locked', data: { cid, proposal: id } });

    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('verified');
    expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBeNull();
    await expect(proposeBid(world, 1.2, cid)).resolves.toBeDefined();
  });
});

function armReadFailure(world: World): void {
  world.service.faults.arm({ kind: 'answer', status: 500, method: 'GET', path: '/login/campaigns' });
}

describe('when the write never reached the service,', () => {
  test('it is recorded as not stored only after twice the request timeout, and is never sent again', async () => {
    const world = await createWorld({ requestMs });
    const { id, cid, before } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    world.clock.advance(2 * requestMs - 1 - 500);
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    world.clock.advance(501);
    const settled = await world.core.handlers['proposals.settle']({ id });
    expect(settled).toMatchObject({ state: 'refused', outcome: { code: 'write_not_stored' } });
    const { items } = await world.core.handlers['ledger.list']({
      beforeSeq: null,
      limit: 1,
      filter: { ...everyRow, proposalId: id },
    });
    expect(items[0]?.summary).toMatch(/^Not stored: /);
    expect(await campaignNow(world, cid)).toEqual(before);
    expect(world.puts()).toBe(1);
  });

  test('and another user changed the campaign meanwhile, the verdict names the differences', async () => {
    const world = await createWorld({ requestMs });
    const { id, cid } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    await changeElsewhere(world, cid, { name: 'Somebody else' });
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    world.clock.advance(2 * requestMs);
    const settled = await world.core.handlers['proposals.settle']({ id });
    expect(settled).toMatchObject({ state: 'differs', outcome: { code: 'stored_differently' } });
    const different = settled.verdicts.filter(({ verdict }) => verdict === 'different');
    expect(different.map(({ field }) => field)).toEqual(expect.arrayContaining(['name', 'payout']));
    // The write never arrived, so the ledger must not state that any of it was stored.
    const { items } = await world.core.handlers['ledger.list']({
      beforeSeq: null,
      limit: 1,
      filter: { ...everyRow, proposalId: id },
    });
    expect(items[0]?.summary).toMatch(/^Not found as sent: /);
  });

  test('the outcome is read without a request by the user, at growing intervals', async () => {
    const world = await createWorld({ requestMs });
    const { id } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    await eventually(async () => {
      world.clock.advance(requestMs);
      expect((await get(world, id)).state).toBe('refused');
    });
    expect(world.puts()).toBe(1);
  });
});

describe('a read after a write without an answer', () => {
  test('proves nothing when the service trims a changed name back to the old name', async () => {
    const world = await createWorld({ requestMs });
    const { cid, name } = await findCampaign(world, ({ status }) => status === 1);
    const { id } = await proposeUpdate(world.core.handlers, {
      cid,
      changes: [{ field: 'name', from: name, to: `${name} ` }],
    });
    const display = await world.look(id);
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'PUT' });
    await world.approve(display);
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    world.clock.advance(2 * requestMs);
    expect(await world.core.handlers['proposals.settle']({ id })).toMatchObject({
      state: 'refused',
      outcome: { code: 'write_not_stored' },
    });
  });

  test('does not end the wait if it began while the write could still arrive', async () => {
    const world = await createWorld({ requestMs });
    const { id } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    const slow = (): void => world.clock.advance(2 * requestMs);
    world.service.faults.arm({ kind: 'meanwhile', method: 'GET', path: '/login/campaigns', run: slow });
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('refused');
  });

  test('does not mark the write as “not stored” after the clock was set forward', async () => {
    const world = await createWorld({ requestMs });
    const { id } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    world.clock.setForward(60 * 60 * 1000);
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    world.clock.advance(2 * requestMs);
    expect((await world.core.handlers['proposals.settle']({ id })).state).toBe('refused');
  });

  test('unlocks the campaign in time after the clock was set back by a year and after a restart', async () => {
    const world = await createWorld({ requestMs });
    const { id, cid } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    world.clock.setForward(-365 * 24 * 60 * 60 * 1000);
    const restarted = await world.restart();
    expect((await restarted.core.handlers['proposals.settle']({ id })).state).toBe('unknown');
    expect((await restarted.core.handlers['campaigns.get']({ cid })).lockedBy).toBe(id);
    restarted.clock.advance(2 * requestMs);
    expect((await restarted.core.handlers['proposals.settle']({ id })).state).toBe('refused');
    expect(restarted.puts()).toBe(0);
  });

  test('never causes a second write, however long the outcome is unknown', async () => {
    const world = await createWorld({ requestMs });
    const { id, before, cid } = await loseAnswer(world, { kind: 'answer', status: 500, method: 'PUT' });
    for (let hours = 0; hours < 24; hours += 1) {
      armReadFailure(world);
      await eventually(() => {
        if (world.service.faults.armed === 0) return;
        // The previous read may not have ended yet, in which case the next read is due an hour later.
        world.clock.advance(60 * 60 * 1000);
        throw new Error('no look has failed yet');
      });
    }
    expect((await get(world, id)).state).toBe('unknown');
    expect(world.puts()).toBe(1);
    expect(await campaignNow(world, cid)).toEqual(before);
  });
});

describe('when the service accepted the write and it could not be read back,', () => {
  async function acceptUnread(world: World): Promise<{ id: string; cid: number; from: JsonValue }> {
    const { proposal, cid } = await proposeBid(world);
    const { payout: from } = await campaignNow(world, cid);
    const display = await world.look(proposal.id);
    const failTwice = (): void => [0, 1].forEach(() => armReadFailure(world));
    world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run: failTwice });
    expect((await world.approve(display)).proposal).toMatchObject({
      state: 'unknown',
      outcome: { code: 'accepted_not_read' },
    });
    await eventually(() => expect(world.service.faults.armed).toBe(0));
    expect((await kindsOf(world, proposal.id)).slice(-3)).toEqual([
      'write.intent',
      'write.sent',
      'write.unknown',
    ]);
    return { id: proposal.id, cid, from: from ?? null };
  }

  test.each([
    ['', false],
    [', also after a restart', true],
  ])(
    'a value that another client changed back since is reported as stored differently, not as refused%s',
    async (_, restarts) => {
      const first = await createWorld({ requestMs });
      const { id, cid, from } = await acceptUnread(first);
      await changeElsewhere(first, cid, { payout: from });
      const world = restarts ? await first.restart() : first;
      const settled = await world.core.handlers['proposals.settle']({ id });
      expect(settled).toMatchObject({ state: 'differs', outcome: { code: 'stored_differently' } });
      expect(await kindsOf(world, id)).not.toContain('write.refused');
    },
  );
});

test('a crash after the recorded acceptance is not reported as a missing answer', async () => {
  const world = await createWorld({ requestMs });
  const { proposal } = await proposeBid(world);
  await world.core.dispose();
  leaveProposal(world.folder, proposal.id, { state: 'sent', intentAtMs: 1 });
  const restarted = await world.restart();
  const { items } = await restarted.core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 200,
    filter: { ...everyRow, proposalId: proposal.id },
  });
  const unknown = items.find(({ kind }) => kind === 'write.unknown');
  expect(unknown?.body).toContain('accepted_not_read');
});

test('a write that the service refuses is refused once and locks nothing', async () => {
  const world = await createWorld({ requestMs });
  const codes = [
    [400, 'operation_refused'],
    [401, 'unauthenticated'],
    [402, 'insufficient_balance'],
    [403, 'forbidden'],
    [404, 'campaign_not_found'],
    [409, 'operation_refused'],
    [422, 'validation_failed'],
  ] as const;
  for (const [status, code] of codes) {
    const { proposal, cid } = await proposeBid(world);
    const before = await campaignNow(world, cid);
    const display = await world.look(proposal.id);
    const puts = world.puts();
    world.service.faults.arm({ kind: 'answer', status, method: 'PUT' });
    expect((await world.approve(display)).proposal).toMatchObject({ state: 'refused', outcome: { code } });
    expect(await campaignNow(world, cid)).toEqual(before);
    expect((await world.core.handlers['campaigns.get']({ cid })).lockedBy).toBeNull();
    expect(world.puts() - puts, `answer ${status}`).toBe(1);
  }
});
