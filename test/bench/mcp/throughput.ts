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

export interface Throughput {
  /** Calls per second. */
  service: number;
  /** Calls per second. */
  sdk: number;
  /** The service's share of the SDK's throughput. */
  ratio: number;
}

/**
 * Returns the medians of the real service and of the SDK's minimal server, which always sends the answer to the first call: with one
 * repeated call, and with 300 different pages in turn. The rounds of the two servers alternate.
 */
export async function measureMcpThroughput(): Promise<Record<'repeated' | 'varied', Throughput>> {
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
  const load = async (target: typeof ours, calls: number, durationMs: number): Promise<number> => {
    const round: LoadRound = { ...target, connections, calls, durationMs };
    worker.postMessage(round);
    const [perSecond] = (await once(worker, 'message')) as [number];
    return perSecond;
  };
  async function measure(calls: number): Promise<Throughput> {
    await load(theirs, calls, 2_000);
    await load(ours, calls, 2_000);
    const figures: { mine: number; others: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await load(theirs, calls, roundMs);
      const mine = await load(ours, calls, roundMs);
      const after = await load(theirs, calls, roundMs);
      figures.push({ mine, others: (before + after) / 2 });
    }
    return {
      service: median(figures.map(({ mine }) => mine)),
      sdk: median(figures.map(({ others }) => others)),
      ratio: median(figures.map(({ mine, others }) => mine / others)),
    };
  }
  const throughput = { repeated: await measure(1), varied: await measure(300) };
  await worker.terminate();
  await Promise.all([service.kill(), sdk.kill()]);
  await rm(folder, { recursive: true, force: true });
  return throughput;
}

async function opened(line: string): Promise<{ endpoint: Endpoint; session: string }> {
  const endpoint = JSON.parse(line) as Endpoint;
  return { endpoint, session: await openBenchSession(endpoint) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
