import { describe, expect, test } from 'vitest';
import { recordOf } from '#core/backend/member/campaign-rules.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openTaskWorld, type TaskWorld } from './task-world.ts';

const daily = { type: 'daily', time: '09:00', timezone: 'Etc/UTC' };
const begin = '2026-11-20T08:00:00Z';

const active = (world: TaskWorld, count: number) =>
  world
    .rows('buyer', 1)
    .slice(0, count)
    .map(({ cid }) => cid);
const pause = (world: TaskWorld, schedule: JsonObject = daily): JsonObject => ({
  name: 'Pause at nine',
  kind: 'campaign_status',
  schedule,
  parameters: { cids: active(world, 2), status: 'paused' },
});
const once = { type: 'once', at: '2026-11-20T09:00:00Z' };

/** Returns a bid within the type's bounds that differs from the campaign's bid. */
function otherBid(world: TaskWorld): { cid: number; payout: number } {
  const [cid = 0] = active(world, 1);
  const { type, payout } = world.campaign('buyer', cid);
  const bounds = world.service.context.types[String(type)];
  if (bounds === undefined) throw new Error('No such type');
  return { cid, payout: payout === bounds.minBid ? bounds.maxBid : bounds.minBid };
}

describe('a due change', () => {
  test('writes nothing: it waits with an approval and is written by its commit', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const cids = active(world, 2);
    world.start();
    await world.addTask(who, pause(world));
    world.goTo('2026-11-20T12:00:00Z');

    const due = await world.only(who);
    expect(due).toMatchObject({
      state: 'due',
      nextDueAt: '2026-11-21T09:00:00.000Z',
      lastRun: { dueAt: '2026-11-20T09:00:00.000Z', outcome: 'waiting', missed: 0 },
      approval: {
        kind: 'campaign_status',
        expiresAt: '2026-11-21T09:00:00.000Z',
        payload: { ids: cids, status: 3 },
      },
    });
    expect(cids.map((cid) => world.campaign('buyer', cid)['status'])).toEqual([1, 1]);

    expect((await world.commitWaiting(who, due)).status).toBe('completed');
    expect(cids.map((cid) => world.campaign('buyer', cid)['status'])).toEqual([3, 3]);
    expect(await world.only(who)).toMatchObject({
      state: 'active',
      lastRun: { outcome: 'committed' },
      approval: null,
    });
  });

  test('of a bid prepares exactly that bid', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const { cid, payout } = otherBid(world);
    const before = world.campaign('buyer', cid);
    world.start();
    await world.addTask(who, { kind: 'campaign_bid', schedule: once, parameters: { cid, payout } });
    world.goTo('2026-11-20T09:00:00Z');
    const due = await world.only(who);
    expect(due.approval?.diff).toEqual([{ field: 'payout', from: before['payout'], to: payout }]);
    await world.commitWaiting(who, due);
    expect(world.campaign('buyer', cid)).toEqual({ ...before, payout });
    expect((await world.only(who)).state).toBe('ended');
  });

  test('of a one-time task waits for a day, then its end is reported', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    await world.addTask(who, pause(world, once));
    world.goTo('2026-11-21T08:59:00Z');
    const due = await world.only(who);
    expect(due.state).toBe('due');
    world.goTo('2026-11-21T09:00:00Z');
    expect(await world.only(who)).toMatchObject({ state: 'ended', lastRun: { outcome: 'expired' } });
    expect((await world.refusal(world.commitWaiting(who, due))).code).toBe('approval_invalid');
  });

  test('that was committed at the last moment does not count as expired', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    await world.addTask(who, pause(world, once));
    world.goTo('2026-11-21T08:59:59Z');
    await world.commitWaiting(who, await world.only(who));
    world.clock.setForward(2_000);
    // A prepare removes expired approvals.
    await world.prepare(who, 'svc_prepare_task', pause(world));
    expect(await world.only(who)).toMatchObject({ state: 'ended', lastRun: { outcome: 'committed' } });
  });

  test('that becomes due again before a decision gets a new approval, and the first approval ends', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    await world.addTask(who, pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    const first = await world.only(who);
    world.goTo('2026-11-21T09:00:00Z');
    const second = await world.only(who);
    expect(second.approval?.id).not.toBe(first.approval?.id);
    expect(second.lastRun).toMatchObject({ dueAt: '2026-11-21T09:00:00.000Z', outcome: 'waiting' });
    expect((await world.refusal(world.commitWaiting(who, first))).code).toBe('approval_invalid');
    expect((await world.commitWaiting(who, second)).status).toBe('completed');
  });

  test('shows its approval only to the grant that may use it', async () => {
    const world = await openTaskWorld({ at: begin });
    world.start();
    await world.addTask(world.principal(), pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    const others = [world.principal({ clientId: 'another' }), world.principal({ grantId: 'another' })];
    for (const other of others) {
      const due = await world.only(other);
      expect(due).toMatchObject({ state: 'due', approval: null });
    }
    expect(await world.list(world.principal({ part: 'withoutBalance' }))).toEqual([]);
  });

  test('does nothing if everything already has the wanted value', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    await world.addTask(who, pause(world));
    const { store } = world.service;
    store.transaction(() => store.write.setStatus(active(world, 2), 3));
    world.goTo('2026-11-20T09:00:00Z');
    expect(await world.only(who)).toMatchObject({
      state: 'active',
      lastRun: { outcome: 'nothing_to_do' },
      approval: null,
    });
  });

  test('does nothing even if the change itself would be refused', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal({ part: 'withoutBalance' });
    const cids = world
      .rows('withoutBalance', 3)
      .slice(0, 1)
      .map(({ cid }) => cid);
    world.start();
    const parameters = { cids, status: 'active' };
    await world.addTask(who, { kind: 'campaign_status', schedule: daily, parameters });
    const { store } = world.service;
    store.transaction(() => store.write.setStatus(cids, 1));
    world.goTo('2026-11-20T09:00:00Z');
    expect((await world.only(who)).lastRun).toMatchObject({ outcome: 'nothing_to_do' });
  });

  test('that the service would refuse is reported with its reason and tried at the next due time', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal({ part: 'withoutBalance' });
    const [row] = world.rows('withoutBalance', 3);
    const parameters = { cids: [row?.cid ?? 0], status: 'active' };
    world.start();
    await world.addTask(who, { kind: 'campaign_status', schedule: daily, parameters });
    world.goTo('2026-11-20T09:00:00Z');
    expect(await world.only(who)).toMatchObject({
      state: 'active',
      nextDueAt: '2026-11-21T09:00:00.000Z',
      lastRun: { outcome: 'refused', reason: 'insufficient_balance' },
    });
  });
});

describe('a task is suspended and does nothing after the loss of', () => {
  const losses: { loss: string; reason: string; lose(world: TaskWorld): void }[] = [
    { loss: 'its grant', reason: 'token_invalid', lose: (world) => world.grant('grant', false) },
    {
      loss: 'the menu',
      reason: 'menu_denied',
      lose: (world) => world.service.store.write.setAccess(world.uid('buyer'), { mcpMenu: false }),
    },
    {
      loss: 'the module of tasks',
      reason: 'module_denied',
      lose: (world) => world.service.store.write.setAccess(world.uid('buyer'), { modules: ['campaigns'] }),
    },
    {
      loss: 'the module of campaigns',
      reason: 'module_denied',
      lose: (world) => world.service.store.write.setAccess(world.uid('buyer'), { modules: ['tasks'] }),
    },
    {
      loss: 'one of its campaigns',
      reason: 'campaign_not_found',
      lose(world) {
        const [cid = 0] = active(world, 1);
        const payload = { ...world.campaign('buyer', cid), uid: world.uid('neighbour') };
        world.service.store.write.replaceCampaign(recordOf(payload, world.service.context));
      },
    },
  ];
  test.each(losses)('$loss', async ({ reason, lose }) => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    await world.addTask(who, pause(world));
    lose(world);
    world.goTo('2026-11-22T12:00:00Z');
    expect(await world.only(who)).toMatchObject({
      state: 'suspended',
      reason,
      nextDueAt: null,
      lastRun: { dueAt: '2026-11-20T09:00:00.000Z', outcome: 'suspended', reason },
      approval: null,
    });
    expect(world.service.store.operations.waiting(who.member.uid, who.key).ofOwner).toBe(0);
  });
});

describe('a cancelled task', () => {
  test('is no longer due, and its waiting change cannot be committed', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    world.start();
    const id = await world.addTask(who, pause(world));
    world.goTo('2026-11-20T09:00:00Z');
    const due = await world.only(who);
    expect((await world.cancel(who, id)).status).toBe('completed');
    expect(await world.only(who)).toMatchObject({
      state: 'cancelled',
      nextDueAt: null,
      lastRun: { outcome: 'cancelled' },
    });
    expect((await world.refusal(world.commitWaiting(who, due))).code).toBe('approval_invalid');
    world.goTo('2026-11-23T00:00:00Z');
    expect((await world.only(who)).lastRun?.dueAt).toBe('2026-11-20T09:00:00.000Z');
  });

  test('cannot be cancelled again, nor by another account, for which it does not exist', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const taskId = await world.addTask(who, pause(world));
    const stranger = world.principal({ part: 'withoutBalance' });
    const foreign = await world.refusal(world.prepare(stranger, 'svc_prepare_task_cancel', { taskId }));
    const absent = await world.refusal(
      world.prepare(stranger, 'svc_prepare_task_cancel', { taskId: 'none' }),
    );
    expect(foreign).toEqual(absent);
    expect(foreign.code).toBe('object_not_found');
    await world.cancel(who, taskId);
    const again = world.prepare(who, 'svc_prepare_task_cancel', { taskId });
    expect((await world.refusal(again)).code).toBe('operation_refused');
  });
});
