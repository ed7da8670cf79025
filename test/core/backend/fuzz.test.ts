import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFuzzService } from './fuzz/fuzz-service.ts';
import type { FuzzService } from './fuzz/fuzz-service.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { watchHealth } from './fuzz/watch-health.ts';

/** `npm run soak` sends four times as many. */
const requests = 2_500;
const perPart = 500;

/** Each run has a new seed. Set the variable to repeat a failure. */
const seed = process.env['COUNTERSIGN_FUZZ_SEED'] ?? randomUUID();

let service: FuzzService;
beforeAll(async () => {
  service = await startFuzzService();
});
afterAll(() => service.dispose());

test(`${requests} mutated requests to all routes do not stop the service (seed ${seed})`, async () => {
  const endWatch = watchHealth(service.port);
  const statuses: Record<string, number> = {};
  const complaints: string[] = [];
  for (let from = 0; from < requests; from += perPart) {
    const part = await runFuzz({ credentials: await service.fresh(), seed, from, count: perPart });
    for (const [status, count] of Object.entries(part.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
    complaints.push(...part.complaints);
  }
  const health = await endWatch();

  expect({ complaints, errors: service.errors }).toEqual({ complaints: [], errors: [] });
  expect(health.failed).toBe(0);
  expect(health.asked).toBeGreaterThan(requests / 100);
  // Both valid requests and requests with every kind of fault must have reached the routes.
  for (const status of ['200', '400', '401', '403', '404', '405', '422']) {
    expect(statuses[status] ?? 0, `answers with ${status}`).toBeGreaterThan(10);
  }
  expect(service.backend.requestLog().filter(({ status }) => status >= 500)).toEqual([]);
}, 600_000);
