import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startFuzzService } from '#test/core/backend/fuzz/fuzz-service.ts';
import type { FuzzResult } from '#test/core/backend/fuzz/run-fuzz.ts';
import type { HealthWatch } from '#test/core/backend/fuzz/watch-health.ts';

const requests = 10_000;
const perPart = 500;

/** Sends ten thousand mutated requests to all routes and measures the answers of `/health` meanwhile. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const service = await startFuzzService();
  const load = new Worker(new URL('./fuzz/load-worker.ts', import.meta.url));
  const watch = new Worker(new URL('./fuzz/health-worker.ts', import.meta.url), { workerData: service.port });
  let failures = 0;
  const beganAtMs = performance.now();
  for (let from = 0; from < requests; from += perPart) {
    load.postMessage({ credentials: await service.fresh(), seed: 'bench', from, count: perPart });
    const [{ complaints }] = (await once(load, 'message')) as [FuzzResult];
    failures += complaints.length;
  }
  const seconds = (performance.now() - beganAtMs) / 1000;
  watch.postMessage('end');
  const [health] = (await once(watch, 'message')) as [HealthWatch];
  await Promise.all([load.terminate(), watch.terminate()]);
  await service.dispose();
  return [
    { name: 'mutated requests over all routes', figure: requests / seconds, unit: 'requests/s', aim: '–' },
    { name: 'mutated requests: answers out of order', figure: failures, unit: 'answers', aim: '0' },
    { name: 'mutated requests: /health, failed', figure: health.failed, unit: 'answers', aim: '0' },
    { name: 'mutated requests: /health, slowest', figure: health.slowestMs, unit: 'ms', aim: 'under 200' },
  ];
}
