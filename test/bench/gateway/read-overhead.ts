import { isDeepStrictEqual } from 'node:util';
import { httpCaller, mcpRemoteCaller, type Caller } from './callers.ts';
import { openSetting } from './setting.ts';

const warmUpRounds = 200;
const rounds = 1_000;

/** Milliseconds at the median of one read call. */
export interface ReadTimes {
  direct: number;
  gateway: number;
  mcpRemote: number;
}

/**
 * svc_list_campaigns, a page of 20: at the service itself, through the gateway, and through mcp-remote, in front of the same
 * service. One call at a time, in turn.
 */
export async function measureReads(): Promise<ReadTimes> {
  const setting = await openSetting(1);
  const { service, url, agent } = setting;
  const { token } = await agent('Bench');
  const endpoint = { port: service.port, token: service.memberToken };
  const direct = await httpCaller(endpoint);
  const gateway = await httpCaller({ port: Number(new URL(url).port), token });
  const mcpRemote = await mcpRemoteCaller(endpoint);
  try {
    const answer = await direct.call();
    for (const caller of [gateway, mcpRemote]) {
      if (!isDeepStrictEqual(await caller.call(), answer)) throw new Error('The answers differ');
    }
    const [inDirect = 0, inGateway = 0, inRemote = 0] = await inTurn([direct, gateway, mcpRemote]);
    return { direct: inDirect, gateway: inGateway, mcpRemote: inRemote };
  } finally {
    await mcpRemote.end();
    await setting.end();
  }
}

/** The median of each; who is first changes with every round. */
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
