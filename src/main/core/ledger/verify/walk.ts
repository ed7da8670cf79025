import { setImmediate } from 'node:timers/promises';
import type { LedgerReader } from '#core/store/app/index.ts';
import { emptyChain, follow, type Chain } from './chain.ts';
import { problem, type LedgerProblem } from './problem.ts';

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

/**
 * Verifies the table and every row from the first, letting other work run between batches. Stops early when told so.
 * That no row escapes the walk follows from the table: `seq` is its key, so that every row has one whole number.
 */
export async function walkAll(reader: LedgerReader, stopped: () => boolean): Promise<Step> {
  const start = { chain: emptyChain(), problem: null, ended: false };
  if (!reader.isOwn()) return altered(start.chain);
  let step: Step = walkBatch(reader, start.chain);
  while (!step.ended && !stopped()) {
    await setImmediate();
    if (stopped()) return step;
    step = reader.isOwn() ? walkBatch(reader, step.chain) : altered(step.chain);
  }
  return step.ended && step.problem === null ? checkTable(reader, step) : step;
}

/** What a walk says of a table that is not the one Countersign made; no statement may be run on that. */
export function altered(chain: Chain): Step {
  return { chain, problem: problem('table_altered', null), ended: true };
}

/** Every row was walked exactly if the table agrees with its indexes and has no other rows. */
function checkTable(reader: LedgerReader, step: Step): Step {
  if (reader.isConsistent() && reader.countRows() === step.chain.rows) return step;
  return { ...step, problem: problem('table_damaged', null) };
}
