import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { openBareServer } from './bare-server.ts';
import type { LoadRound } from './load-client.ts';

const rounds = 20;
const roundMs = 250;
const path = '/login/campaigns/campaigns?page=2&perPage=20';

/** Returns the medians of answers per second of the service and of a bare server on the same file. Their rounds alternate. */
export async function measureThroughput(): Promise<{ service: number; bare: number; ratio: number }> {
  const service = await startBackend();
  const bare = await openBareServer(service.file, service.credentials.uid);
  await expectSameBytes(service.baseUrl, service.credentials.memberToken, bare.port);
  const worker = new Worker(new URL('./load-client.ts', import.meta.url));
  const load = (port: number, base: string, durationMs: number): Promise<number> => {
    const headers = { authorization: `Bearer ${service.credentials.memberToken}` };
    const round: LoadRound = { port, path: `${base}${path}`, headers, connections: 8, durationMs };
    worker.postMessage(round);
    return once(worker, 'message').then(([answered]) => answered as number);
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  await load(bare.port, '', 1_000);
  await load(service.port, '/api/v1', 1_000);
  for (let round = 0; round < rounds; round += 1) {
    const before = await load(bare.port, '', roundMs);
    const mine = await load(service.port, '/api/v1', roundMs);
    const after = await load(bare.port, '', roundMs);
    ours.push(mine);
    theirs.push((before + after) / 2);
    ratios.push(mine / ((before + after) / 2));
  }
  await worker.terminate();
  bare.close();
  await service.dispose();
  return { service: median(ours), bare: median(theirs), ratio: median(ratios) };
}

async function expectSameBytes(baseUrl: string, token: string, barePort: number): Promise<void> {
  const ours = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const theirs = await fetch(`http://127.0.0.1:${barePort}${path}`);
  if ((await ours.text()) !== (await theirs.text()))
    throw new Error('The two servers answer different bytes');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
