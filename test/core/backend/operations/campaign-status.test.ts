import { describe, expect, test } from 'vitest';
import { recordOf, storeStatus } from '#core/backend/member/campaign-rules.ts';
import { commitOf, openWorld, type World } from './world.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const tool = 'svc_prepare_campaign_status';

const cids = (world: World, status: 0 | 1 | 2 | 3 | 4, count: number) =>
  world
    .rows('buyer', status)
    .slice(0, count)
    .map(({ cid }) => cid);
const statuses = (world: World, ids: readonly number[]) =>
  ids.map((cid) => world.campaign('buyer', cid)['status']);

describe('a prepared change of status', () => {
  test('accepts the status by name, by number and by number as text', async () => {
    const world = openWorld();
    const ids = cids(world, 1, 2);
    for (const status of ['paused', '3', 3]) {
      const prepared = await world.prepare(world.principal(), tool, { ids, status });
      expect(prepared.payload).toEqual({ ids, status: 3 });
      expect(prepared.diff).toEqual(ids.map((cid) => ({ field: `${cid}.status`, from: 1, to: 3 })));
    }
  });

  test('applies to all campaigns or none, and states how many are stored', async () => {
    const world = openWorld();
    const who = world.principal();
    const ids = cids(world, 3, 4);
    const prepared = await world.prepare(who, tool, { ids: [...ids, ...ids], status: 'suspended' });
    const committed = await world.commit(who, prepared);
    expect(committed).toMatchObject({
      status: 'completed',
      verification: { stored: true, asked: 4, storedCount: 4 },
    });
    expect(statuses(world, ids)).toEqual([2, 2, 2, 2]);
  });

  test('skips and lists campaigns that have the status already', async () => {
    const world = openWorld();
    const [paused, active] = [cids(world, 3, 2), cids(world, 1, 1)];
    const { payload, warnings } = await world.prepare(world.principal(), tool, {
      ids: [...paused, ...active],
      status: 'paused',
    });
    expect(payload).toEqual({ ids: active, status: 3 });
    expect(warnings).toContain('2 campaigns are Paused already and will not be sent.');
  });

  test('states the money that an activation can spend, and the balance', async () => {
    const world = openWorld();
    const { warnings } = await world.prepare(world.principal(), tool, {
      ids: cids(world, 3, 3),
      status: 'active',
    });
    expect(warnings.join('\n')).toMatch(/3 campaigns can spend.*, together/);
    expect(warnings).toContain('The account has $12,480.55 available.');
  });

  test('reports campaigns of the batch that another user changed before the read', async () => {
    const world = openWorld();
    const who = world.principal();
    const ids = cids(world, 1, 3);
    const prepared = await world.prepare(who, tool, { ids, status: 'paused' });
    const committing = world.call(who, 'svc_commit', commitOf(prepared));
    world.service.store.transaction(() => world.service.store.write.setStatus(ids.slice(0, 1), 2));
    expect(await committing).toMatchObject({
      status: 'partial',
      verification: { stored: false, asked: 3, storedCount: 2 },
    });
  });

  test('is refused for Pending, for approving, for a foreign campaign and if all have the status already', async () => {
    const world = openWorld();
    const [paused, two] = [cids(world, 3, 1), cids(world, 3, 2)];
    const foreign = world.rows('neighbour')[0]?.cid ?? 0;
    const refused: [JsonObject, string][] = [
      [{ ids: cids(world, 1, 1), status: 'pending' }, 'operation_refused'],
      [{ ids: [...paused, ...cids(world, 0, 1)], status: 'active' }, 'operation_refused'],
      [{ ids: [...paused, foreign], status: 'active' }, 'campaign_not_found'],
      [{ ids: two, status: 3 }, 'nothing_to_change'],
    ];
    for (const [args, code] of refused) {
      const refusal = await world.refusal(world.call(world.principal(), tool, args));
      expect(refusal.code).toBe(code);
    }
  });

  test.each([
    [999_999, 'insufficient_balance', 3],
    [1_000_000, null, 1],
  ])('to Active with %i micros available: %s', async (balanceMicros, code, status) => {
    const world = openWorld();
    const { store, context } = world.service;
    const [uid, cid] = [77_001, 900_001];
    const [template = 0] = cids(world, 3, 1);
    const member = { name: 'At the limit', role: 'member', mcpMenu: true, modules: [] } as const;
    store.transaction(() => {
      store.write.addMember({ uid, balanceMicros, ...member });
      store.write.addCampaign(recordOf({ ...world.campaign('buyer', template), uid, cid }, context));
    });
    const activate = async () => store.transaction(() => storeStatus(store, { uid, ids: [cid], status: 1 }));
    if (code === null) await activate();
    else expect((await world.refusal(activate())).code).toBe(code);
    expect(store.read.statuses(uid, [cid]).get(cid)).toBe(status);
  });

  test('to Active without a dollar is refused when prepared and when committed', async () => {
    const world = openWorld();
    const poor = world.principal({ part: 'withoutBalance' });
    const ids = world.rows('withoutBalance', 3).map(({ cid }) => cid);
    const refusal = await world.refusal(world.call(poor, tool, { ids, status: 'active' }));
    expect([refusal.code, refusal.status]).toEqual(['insufficient_balance', 402]);
  });
});
