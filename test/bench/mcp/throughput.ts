import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startChild } from '#test/servers/child.ts';
import type { LoadRound } from './load-client.ts';
import { askOnce, openBenchSession } from './request.ts';
import type { Endpoint } from './request.ts';

const rounds = 20;
const roundMs = 400;
const connections = 8;

/**
 * Returns the medians of calls per second of the real service and of the SDK's minimal server with the same answer. Their
 * rounds alternate.
 */
export async function measureMcpThroughput(): Promise<{ service: number; sdk: number; ratio: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const service = startChild(new URL('./service.ts', import.meta.url), []);
  const ours = await opened(await service.line());
  const answer = await askOnce(ours.endpoint, ours.session);
  const file = join(folder, 'answer.json');
  await writeFile(file, JSON.stringify(answer));
  const sdk = startChild(new URL('./sdk-server.ts', import.meta.url), [file]);
  const theirs = await opened(await sdk.line());
  if (!isDeepStrictEqual(await askOnce(theirs.endpoint, theirs.session), answer)) {
    throw new Error('The two servers answer different results');
  }
  const worker = new Worker(new URL('./load-client.ts', import.meta.url));
  const load = async (target: typeof ours, durationMs: number): Promise<number> => {
    const round: LoadRound = { ...target, connections, durationMs };
    worker.postMessage(round);
    const [perSecond] = (await once(worker, 'message')) as [number];
    return perSecond;
  };
  await load(theirs, 2_000);
  await load(ours, 2_000);
  const figures: { mine: number; others: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await load(theirs, roundMs);
    const mine = await load(ours, roundMs);
    const after = await load(theirs, roundMs);
    figures.push({ mine, others: (before + after) / 2 });
  }
  await worker.terminate();
  await Promise.all([service.kill(), sdk.kill()]);
  await rm(folder, { recursive: true, force: true });
  return {
    service: median(figures.map(({ mine }) => mine)),
    sdk: median(figures.map(({ others }) => others)),
    ratio: median(figures.map(({ mine, others }) => mine / others)),
  };
}

async function opened(line: string): Promise<{ endpoint: Endpoint; session: string }> {
  const endpoint = JSON.parse(line) as Endpoint;
  return { endpoint, session: await openBenchSession(endpoint) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
