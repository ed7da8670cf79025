import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import { openSetting, type Setting } from './setting.ts';

const agents = 4;
const changesOfEach = 50;
const floods = 4;

/** The effect of a flood of proposals on the core. */
export interface Flood {
  asked: number;
  /** In the last flood: how many calls waited for the person, and how many were refused at once. */
  waiting: number;
  capped: number;
  /** The longest time in milliseconds, over all floods, for which the core's event loop was blocked. */
  longestDelayMs: number;
  /** The growth of the heap from the end of the first flood to the end of the last. */
  heapGrowthBytes: number;
}

/** Sends two hundred commits at once from four agents, several times. After each flood the agents cancel their calls. */
export async function measureFlood(): Promise<Flood> {
  const setting = await openSetting(agents);
  try {
    const prepared = await prepareAll(await admitAll(setting));
    const all: FloodOnce[] = [];
    for (let flood = 0; flood < floods; flood += 1) all.push(await floodOnce(setting, prepared, flood));
    const [first, last] = [all[0], all.at(-1)];
    return {
      asked: prepared.length,
      waiting: last?.waiting ?? 0,
      capped: last?.capped ?? 0,
      longestDelayMs: Math.max(...all.map(({ longestDelayMs }) => longestDelayMs)),
      heapGrowthBytes: (last?.heapBytes ?? 0) - (first?.heapBytes ?? 0),
    };
  } finally {
    await setting.end();
  }
}

interface FloodOnce {
  waiting: number;
  capped: number;
  longestDelayMs: number;
  /** The heap after all calls of the flood were cancelled. */
  heapBytes: number;
}

async function floodOnce(setting: Setting, prepared: readonly Prepared[], flood: number): Promise<FloodOnce> {
  await setting.report();
  const taken = new AbortController();
  let capped = 0;
  const calls = prepared.map(async ({ agent, commit }) => {
    const idempotencyKey = `${commit.approvalId}-${flood}`;
    const answer = await agent.call('svc_commit', { ...commit, idempotencyKey }, { signal: taken.signal });
    if (answer.isError === true) capped += 1;
  });
  for (const call of calls) call.catch(() => {});
  const { waiting, longestDelayMs } = await untilAnswered(setting, () => capped, prepared.length);
  const refused = capped;
  taken.abort();
  const { heapBytes } = await untilEmpty(setting);
  return { waiting, capped: refused, longestDelayMs, heapBytes };
}

async function admitAll(setting: Setting): Promise<TestAgent[]> {
  const crowd: TestAgent[] = [];
  for (let number = 1; number <= agents; number += 1) {
    crowd.push((await setting.agent(`Flood ${number}`)).agent);
  }
  return crowd;
}

interface Prepared {
  agent: TestAgent;
  commit: Commit;
}

interface Commit {
  [argument: string]: unknown;
  approvalId: string;
}

async function prepareAll(crowd: readonly TestAgent[]): Promise<Prepared[]> {
  const all: Prepared[] = [];
  const [reader] = crowd;
  if (reader === undefined) throw new Error('No agent was admitted');
  const list = await reader.call('svc_list_campaigns', { status: 'active', limit: changesOfEach * 4 });
  const rows = (list.structuredContent as { data: { cid: number; payout: number }[] }).data;
  const wanted = rows.filter(({ payout }) => payout > 0.1);
  for (const agent of crowd) {
    for (let change = 0; change < changesOfEach; change += 1) {
      const { cid = 0, payout = 0 } = wanted[change % wanted.length] ?? {};
      // Every change needs a different value. The lowest bids of a type cannot be lowered, so all bids are raised.
      const to = Math.round(payout * (1.01 + all.length / 1_000) * 1e4) / 1e4;
      const answer = await agent.call('svc_prepare_campaign_update', { cid, changes: { payout: to } });
      all.push({ agent, commit: commitOf(answer) });
    }
  }
  return all;
}

function commitOf({ structuredContent, content }: CallToolResult): Commit {
  const { data } = structuredContent as {
    data?: { approval: { id: string; fingerprint: string }; payload: unknown };
  };
  if (data === undefined) throw new Error(JSON.stringify(content));
  const { approval, payload } = data;
  return { approvalId: approval.id, fingerprint: approval.fingerprint, payload };
}

/** Polls until every call either waits or was refused. No call is decided. */
async function untilAnswered(setting: Setting, capped: () => number, asked: number) {
  let longestDelayMs = 0;
  for (;;) {
    const { waiting, longestDelayMs: delay } = await setting.report();
    longestDelayMs = Math.max(longestDelayMs, delay);
    if (waiting + capped() >= asked) return { waiting, longestDelayMs };
    await pause();
  }
}

async function untilEmpty(setting: Setting) {
  for (;;) {
    const report = await setting.report();
    if (report.waiting === 0) return report;
    await pause();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));
