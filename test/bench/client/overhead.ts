import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createMemberClient } from '#core/service-client/index.ts';
import { startChild } from '#test/servers/child.ts';
import type { BenchService } from './service.ts';

const warmUpCalls = 300;
const calls = 1_500;

/** Median milliseconds: our client's call, a bare `fetch`, and their difference. */
export interface Overhead {
  ours: number;
  bare: number;
  difference: number;
}

/**
 * Compares list and get of the member client with a bare `fetch` that has the same headers, reads the whole text and parses
 * it. The two take turns, one call at a time.
 */
export async function measureOverhead(): Promise<{ list: Overhead; get: Overhead }> {
  const child = startChild(new URL('./service.ts', import.meta.url), []);
  const { baseUrl, token } = JSON.parse(await child.line()) as BenchService;
  const client = createMemberClient({
    baseUrl,
    token: async () => token,
    timeoutMs: 15_000,
    logger: silentLogger,
    observe: () => undefined,
    pauses: { clock: systemClock, random: Math.random },
  });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const bare = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}/login/campaigns${path}`, { headers });
    return JSON.parse(await answer.text());
  };
  const { data } = await client.list({ page: 1, perPage: 20 });
  const cid = data[0]?.cid ?? 0;
  try {
    const list = await inTurn(
      () => client.list({ page: 1, perPage: 20 }),
      () => bare('/campaigns?page=1&perPage=20'),
    );
    const get = await inTurn(
      () => client.get(cid),
      () => bare(`/${cid}`),
    );
    return { list, get };
  } finally {
    await child.kill();
  }
}

async function inTurn(ours: () => Promise<unknown>, bare: () => Promise<unknown>): Promise<Overhead> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let call = 0; call < warmUpCalls + calls; call += 1) {
    // The second caller may find a warmer service, so the order alternates.
    const isOursFirst = call % 2 === 0;
    const first = await timeOf(isOursFirst ? ours : bare);
    const second = await timeOf(isOursFirst ? bare : ours);
    if (call < warmUpCalls) continue;
    times.ours.push(isOursFirst ? first : second);
    times.bare.push(isOursFirst ? second : first);
  }
  const medians = { ours: median(times.ours), bare: median(times.bare) };
  return { ...medians, difference: medians.ours - medians.bare };
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
