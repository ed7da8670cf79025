import { setImmediate } from 'node:timers/promises';
import type { LedgerReader } from '#core/store/app/index.ts';
import { follow, type Chain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';

/** How far a walk came. `ended` is true when no row is left, or one is wrong. */
export interface Step {
  chain: Chain;
  problem: LedgerProblem | null;
  ended: boolean;
}

/** Rows between two breaths: about 30 ms of signatures. */
const batchSize = 200;

/** Verifies the next batch of rows, at once. */
export function walkBatch(reader: LedgerReader, start: Chain): Step {
  let chain = start;
  const rows = reader.after(start.rows, batchSize);
  for (const row of rows) {
    const next = follow(chain, row);
    if ('problem' in next) return { chain, problem: next.problem, ended: true };
    chain = next.chain;
  }
  return { chain, problem: null, ended: rows.length < batchSize };
}

/** Verifies all rows that are left, letting other work run between batches. Stops early when told so. */
export async function walkToEnd(reader: LedgerReader, start: Chain, stopped: () => boolean): Promise<Step> {
  let step = walkBatch(reader, start);
  while (!step.ended && !stopped()) {
    await setImmediate();
    step = stopped() ? step : walkBatch(reader, step.chain);
  }
  return step;
}
