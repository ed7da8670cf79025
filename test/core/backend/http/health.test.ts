import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createFaults } from '#core/backend/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { readySchema } from '#shared/contract/index.ts';
import { startBackend, type RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
afterEach(() => service.dispose());

const origin = (): string => new URL(service.baseUrl).origin;
const get = (path: string): Promise<Response> => fetch(`${origin()}${path}`);

describe('health and readiness', () => {
  test('answer any caller and list what was checked', async () => {
    service = await startBackend({ campaigns: 5 });
    const health = await get('/health');
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await get('/ready');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { oauth_storage: 'ok', durable_storage: 'ok' } },
    ]);
  });

  test.each(['oauth_storage', 'durable_storage'] as const)(
    'an armed fault of %s fails only /ready, until it is disarmed',
    async (part) => {
      const faults = createFaults();
      service = await startBackend({ campaigns: 5, faults });
      const disarm = faults.arm({ kind: 'not-ready', part });
      for (let asked = 0; asked < 2; asked += 1) {
        const ready = await get('/ready');
        expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
        const checks = { oauth_storage: 'ok', durable_storage: 'ok', [part]: 'failed' };
        const answer = readySchema.parse(await ready.json());
        expect(answer).toEqual({ status: 'not_ready', checks });
        expect((await get('/health')).status).toBe(200);
        expect((await service.list()).total).toBe(5);
      }
      disarm();
      expect((await get('/ready')).status).toBe(200);
      expect(faults.armed).toBe(0);
    },
  );

  test('check durable storage with a write at most once a second', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => aheadMs };
    service = await startBackend({ campaigns: 5, clock });
    const [key] = service.credentials.publisherKeys;
    // This report is answered once all statistics are made. Afterwards the service writes nothing on its own.
    await get(`/publisher/search-report?token=${key?.key}&date_from=2026-01-01&date_to=2026-01-01`);
    // Compares content, because a checkpointed log is rewritten from its beginning and keeps its size.
    const written = (): string =>
      createHash('sha256')
        .update(readFileSync(`${service.file}-wal`))
        .digest('hex');
    await get('/ready');
    const before = written();
    await Promise.all(Array.from({ length: 20 }, () => get('/ready')));
    expect(written()).toBe(before);
    aheadMs += 1_000;
    await get('/ready');
    expect(written()).not.toBe(before);
  });
});
