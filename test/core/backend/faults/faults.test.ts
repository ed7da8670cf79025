import { afterEach, describe, expect, test } from 'vitest';
import { createFaults } from '#core/backend/index.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
afterEach(() => service.dispose());

const list = '/login/campaigns/campaigns';

describe('faults', () => {
  test('wait for the request that they are armed for', async () => {
    service = await startBackend({ campaigns: 5 });
    service.backend.faults.arm({ kind: 'answer', status: 503, method: 'PUT', path: '/update-status' });
    expect((await service.send('GET', list)).status).toBe(200);
    expect(service.backend.faults.armed).toBe(1);
    expect((await service.setStatus({ ids: [1], status: 3 })).status).toBe(503);
    expect(service.backend.faults.armed).toBe(0);
  });

  test('cut the connection after a write, which is stored once and not answered', async () => {
    service = await startBackend({ campaigns: 50 });
    const cid = (await service.list('?status=3')).data[0]?.cid ?? 0;
    service.backend.faults.arm({ kind: 'cut-after-write' });
    const campaign = await service.campaign(cid);
    await expect(service.put(cid, { ...campaign, payout: 0.222 })).rejects.toThrow();
    expect((await service.campaign(cid))['payout']).toBe(0.222);
    const puts = service.backend.requestLog().filter(({ method }) => method === 'PUT');
    expect(puts).toEqual([{ method: 'PUT', path: `/api/v1/login/campaigns/${cid}`, status: 0 }]);
  });

  test('delay an answer without changing it', async () => {
    service = await startBackend({ campaigns: 5, faults: createFaults([{ kind: 'slow', ms: 30 }]) });
    expect((await service.list()).total).toBe(5);
  });

  test('change a campaign as another user between two reads', async () => {
    service = await startBackend({ campaigns: 50 });
    const cid = (await service.list('?status=3')).data[0]?.cid ?? 0;
    service.backend.faults.arm({
      kind: 'meanwhile',
      method: 'GET',
      path: String(cid),
      run: async () => void (await service.setStatus({ ids: [cid], status: 2 })),
    });
    expect((await service.campaign(cid))['status']).toBe(3);
    expect((await service.campaign(cid))['status']).toBe(2);
  });
});
