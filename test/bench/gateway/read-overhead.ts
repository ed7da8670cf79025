import { isDeepStrictEqual } from 'node:util';
import { httpCaller, mcpRemoteCaller, type Caller } from './callers.ts';
import { openSetting, type Setting } from './setting.ts';

const warmUpRounds = 200;
const rounds = 1_000;

/**
 * Measures svc_list_campaigns with a page of 20, in median milliseconds: at the service itself, through a bare proxy, through
 * the gateway, and through mcp-remote in front of the same service. The four take turns, one call at a time.
 */
export async function measureReads(): Promise<
  Record<'direct' | 'bareProxy' | 'gateway' | 'mcpRemote', number>
> {
  return measure(0, async (setting) => {
    const { service, bareProxy } = setting;
    const endpoint = { port: service.port, token: service.memberToken };
    return {
      direct: await httpCaller(endpoint),
      bareProxy: await httpCaller({ ...endpoint, port: bareProxy.port }),
      gateway: await gatewayCaller(setting),
      mcpRemote: await mcpRemoteCaller(endpoint),
    };
  });
}

/** Measures the same call at a service that is `awayMs` milliseconds away: directly, and through the gateway. */
export async function measureReadsFromAfar(awayMs: number): Promise<Record<'direct' | 'gateway', number>> {
  return measure(awayMs, async (setting) => {
    const { port, memberToken: token } = setting.service;
    return { direct: await httpCaller({ port, token }), gateway: await gatewayCaller(setting) };
  });
}

async function gatewayCaller({ url, agent }: Setting): Promise<Caller> {
  const { token } = await agent('Bench');
  return httpCaller({ port: Number(new URL(url).port), token });
}

/** Returns the median of each caller. Fails if their answers differ. */
async function measure<Name extends string>(
  awayMs: number,
  connect: (setting: Setting) => Promise<Record<Name, Caller>>,
): Promise<Record<Name, number>> {
  const setting = await openSetting(1, awayMs);
  const callers = await connect(setting);
  const all = Object.values<Caller>(callers);
  try {
    const [answer, ...others] = await Promise.all(all.map((caller) => caller.call()));
    if (!others.every((other) => isDeepStrictEqual(other, answer))) throw new Error('The answers differ');
    const medians = await inTurn(all);
    return Object.fromEntries(Object.keys(callers).map((name, at) => [name, medians[at]])) as Record<
      Name,
      number
    >;
  } finally {
    for (const caller of all) await caller.end();
    await setting.end();
  }
}

/** The callers' order changes with every round, so that none is always first. */
async function inTurn(callers: Caller[]): Promise<number[]> {
  const times = callers.map((): number[] => []);
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (let turn = 0; turn < callers.length; turn += 1) {
      const who = (round + turn) % callers.length;
      const startedAt = performance.now();
      await callers[who]?.call();
      if (round >= warmUpRounds) times[who]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
