import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeCore, type Core } from '#core/compose/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { withStore } from '#test/servers/stores.ts';

const rounds = 7;
const waiting = 1_000;
const dayMs = 24 * 60 * 60_000;

/** Measures lists of many undecided changes, and how long other work is blocked while the changes expire together. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const first = await openCore(folder);
    const { cid } = (await page(first, 1))[0] ?? { cid: 0 };
    const { id } = await first.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
    await first.dispose();
    clone(folder, id, 200);
    const few = await listMs(folder);
    clone(folder, id, waiting);
    const many = await listMs(folder);
    const { longestTurnMs, ms } = await expire(folder);
    return [
      { name: 'list of 50 of 200 waiting changes', figure: few, unit: 'ms', aim: '–' },
      { name: 'list of 50 of 1,000 waiting changes', figure: many, unit: 'ms', aim: 'under 200' },
      { name: '1,000 changes expire', figure: ms, unit: 'ms', aim: '–' },
      { name: 'longest turn meanwhile', figure: longestTurnMs, unit: 'ms', aim: 'under 100' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const dataKey = randomBytes(32);

let aheadMs = 0;

function openCore(folder: string): Promise<Core> {
  return composeCore({
    dataFolder: folder,
    host: 'terminal',
    version: '0.0.0',
    dataKey,
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs },
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide: () => {} },
    demoCampaigns: 20,
  });
}

async function page({ handlers }: Core, perPage: number) {
  const filter = { query: '', status: 1, types: [], sort: 'cid' as const, order: 'asc' as const };
  return (await handlers['campaigns.page']({ filter, page: 1, perPage })).rows;
}

/** Copies the proposal until `count` proposals are undecided. */
function clone(folder: string, id: string, count: number): void {
  const { id: newId } = createIds(systemClock.nowMs);
  withStore(folder, ({ proposals }) => {
    const found = proposals.find(id);
    if (found === null) throw new Error('There is no proposal');
    const missing = count - proposals.undecided().length;
    for (let at = 0; at < missing; at += 1) {
      proposals.insert({ ...found, id: newId(), expiresAtMs: found.createdAtMs + dayMs });
    }
  });
}

async function listMs(folder: string): Promise<number> {
  const core = await openCore(folder);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = systemClock.monotonicMs();
    await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 50, order: 'risk' });
    times.push(systemClock.monotonicMs() - startedAt);
  }
  await core.dispose();
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
}

/** Measures a core whose machine wakes up two days later, when all proposals have expired. */
async function expire(folder: string): Promise<{ longestTurnMs: number; ms: number }> {
  const core = await openCore(folder);
  const startedAt = systemClock.monotonicMs();
  let last = startedAt;
  let longestTurnMs = 0;
  const endTurn = (): void => {
    const now = systemClock.monotonicMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
  };
  aheadMs = 2 * dayMs;
  core.resume();
  for (;;) {
    endTurn();
    await new Promise((resolve) => setImmediate(resolve));
    endTurn();
    const { total } = await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 });
    last = systemClock.monotonicMs();
    if (total === 0) break;
  }
  await core.dispose();
  return { longestTurnMs, ms: last - startedAt };
}
