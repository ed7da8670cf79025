import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { Worker } from 'node:worker_threads';
import { startChild } from '#test/servers/child.ts';
import type { Flood } from './flood-client.ts';
import type { ServiceEndpoint } from './service.ts';

/** Each connection sends as many requests at once as the service accepts, and repeats that when they are answered. */
const flood = { connections: 125, requests: 32, rounds: 5 };

/** Returns the slowest answer of `/health` while 20,000 reads of the campaign list are pipelined, in milliseconds. */
export async function measureHealthInFlood(): Promise<{ asked: number; slowestMs: number }> {
  const service = startChild(new URL('./service.ts', import.meta.url), []);
  const endpoint = JSON.parse(await service.line()) as ServiceEndpoint;
  const agent = new Agent({ keepAlive: true });
  const health = async (): Promise<number> => {
    const startedAt = performance.now();
    const [response] = await once(
      get({ host: '127.0.0.1', port: endpoint.port, path: '/health', agent }),
      'response',
    );
    await once(response.resume(), 'end');
    return performance.now() - startedAt;
  };
  await health();
  const worker = new Worker(new URL('./flood-client.ts', import.meta.url));
  worker.postMessage({ endpoint, ...flood } satisfies Flood);
  const over = once(worker, 'message').then(([answered]) => answered as number);
  const notYet = Symbol('The flood goes on');
  let slowestMs = 0;
  do slowestMs = Math.max(slowestMs, await health());
  while ((await Promise.race([over, Promise.resolve(notYet)])) === notYet);
  const asked = flood.connections * flood.requests * flood.rounds;
  const answered = await over;
  agent.destroy();
  await worker.terminate();
  await service.kill();
  if (answered !== asked) throw new Error(`${answered} of ${asked} requests were answered`);
  return { asked, slowestMs };
}
