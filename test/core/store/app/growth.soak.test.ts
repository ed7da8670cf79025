import { expect, test } from 'vitest';
import { grow, type Growth } from '#test/bench/growth/replicate.ts';
import { settledChanges } from '#test/bench/growth/settled-changes.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The result for test/bench/growth.bench.ts. */
    growth?: Growth & { scale: number };
  }
}

/** Ids as long as those of a live profile and of an agent. */
const profileId = '01jd3k5m7n9p1r3t5v7x9z1bff';
const agentId = '01jd3k5m7n9p1r3t5v7x9z1b3d';

/** The test makes this fraction (1/50) of a year with 100 changes a day. */
const scale = 50;

test('a change takes at most 6 kB with its details, and a year at 100 changes a day stays under 170 MB, with at most 3 kB of ledger each', async ({
  task,
}) => {
  const settled = await settledChanges();
  const grown = await grow({ ...settled, days: 365, changesADay: 100 / scale, profileId, agentId });
  task.meta.growth = { ...grown, scale };
  expect(grown.changes).toBe(36_500 / scale);
  expect(grown.eachWithDetails).toBeLessThanOrEqual(6_000);
  expect(grown.ledger / grown.changes).toBeLessThanOrEqual(3_000);
  expect((grown.file * scale) / 1e6).toBeLessThan(170);
  expect(grown.free).toBe(0);
}, 120_000);
