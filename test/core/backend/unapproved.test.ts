import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccounts } from '#core/backend/demo-data/credentials.ts';
import { campaignStatus } from '#core/backend/operations/campaign-writes.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { startBackend, type RunningBackend } from './open-backend.ts';
import { openService, principalOf } from './operations/open-service.ts';

let service: RunningBackend;
let pending: number[];
beforeAll(async () => {
  service = await startBackend();
  pending = (await service.list('?status=0&perPage=200')).data.map(({ cid }) => cid);
});
afterAll(() => service.dispose());

describe('a pending campaign cannot be approved by a member', () => {
  test.each([
    [3, 1],
    [3, 4],
    [2, 1],
    [2, 4],
  ])('by setting it to %i and then to %i, with either kind of update', async (through, to) => {
    const cid = pending.pop() ?? 0;
    expect((await service.setStatus({ ids: [cid], status: through })).status).toBe(200);
    const byStatus = await service.setStatus({ ids: [cid], status: to });
    const byUpdate = await service.put(cid, { ...(await service.campaign(cid)), status: to });
    for (const answer of [byStatus, byUpdate]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'operation_refused']);
    }
    expect((await service.campaign(cid))['status']).toBe(through);
    // The change switches between two statuses that do not run.
    expect((await service.setStatus({ ids: [cid], status: 5 - through })).status).toBe(200);
  });

  test('by a full update that pauses it first, or among campaigns that may run', async () => {
    const cid = pending.pop() ?? 0;
    const campaign = await service.campaign(cid);
    expect((await service.put(cid, { ...campaign, status: 3 })).status).toBe(200);
    const [other] = (await service.list('?status=3')).data.filter((row) => row.cid !== cid);
    const answer = await service.setStatus({ ids: [other?.cid, cid], status: 1 });
    expect(answer.status).toBe(400);
    expect((await service.campaign(other?.cid ?? 0))['status']).toBe(3);
  });

  test('through the tools, where a pause warns that it cannot be undone', () => {
    const world = openService(join(tempFolder(), 'backend.sqlite'), { clock, campaigns: 60 });
    const uid = demoAccounts('northwind').buyer.uid;
    const query = {
      uid,
      match: { kind: 'all' },
      types: [],
      sort: 'cid',
      order: 'asc',
      offset: 0,
      limit: 9,
    } as const;
    const [row = '{}'] = world.store.read.list({ ...query, status: 0 }).rows;
    const { cid } = JSON.parse(row) as { cid: number };
    const kind = campaignStatus(world);
    const prepare = (status: string) => kind.prepare(principalOf(world), { ids: [cid], status });
    expect(prepare('paused')).toMatchObject({
      warnings: expect.arrayContaining([expect.stringContaining('A member cannot undo this')]),
    });
    world.store.transaction(() => world.store.write.setStatus([cid], 3));
    expect(() => prepare('active')).toThrow(/never approved/);
    expect(() => prepare('scheduled')).toThrow(/never approved/);
    return world.store.dispose();
  });
});
