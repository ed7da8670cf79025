import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '#core/connections/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { createDecisions } from '#core/proposals/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { writeHistory } from '#test/fixtures/decision-history.ts';

const rows = 100_000;

/** Counts a year's decisions from a ledger of 100,000 rows, and measures the longest time for which this blocks other work. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    await writeHistory({ folder, dataKey: randomBytes(32), rows, days: 365 });
    const store = openAppStore({ folder, clock, logger });
    const connections = {
      current: () => ({ profile: { id: 'demo', zone: 'America/New_York' } }) as Connection,
    };
    const count = createDecisions({ store, connections });
    const dayMs = 86_400_000;
    const month = await measure(() => count({ sinceMs: clock.nowMs() - 30 * dayMs }));
    const year = await measure(() => count({ sinceMs: clock.nowMs() - 366 * dayMs }));
    await store.dispose();
    const of = `of ${rows.toLocaleString('en-US')} ledger rows`;
    return [
      { name: `decisions of 30 days ${of}, counted`, figure: month.ms, unit: 'ms', aim: '–' },
      { name: `decisions of a year ${of}, counted`, figure: year.ms, unit: 'ms', aim: '–' },
      { name: 'longest turn meanwhile', figure: year.longestTurnMs, unit: 'ms', aim: 'under 50' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(work: () => Promise<unknown>): Promise<{ ms: number; longestTurnMs: number }> {
  const startedAt = clock.monotonicMs();
  let last = startedAt;
  let longestTurnMs = 0;
  let isOver = false;
  const look = (): void => {
    const now = clock.monotonicMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  isOver = true;
  return { ms: clock.monotonicMs() - startedAt, longestTurnMs };
}
