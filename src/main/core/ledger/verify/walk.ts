import { setImmediate } from 'node:timers/promises';
import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import { type Anchor, anchorHash, type FoundAnchor } from '../anchor/anchor.ts';
import { noHash } from '../row-hash.ts';
import { type PublicKey, verifiesSignature } from '../signer.ts';
import { type Chain, emptyChain, follow, readBody, readIntroduction } from './chain.ts';
import { type LedgerProblem, problem } from './problem.ts';

/** The rows as far as an anchor is held against them. */
type AnchoredRows = Pick<LedgerReader, 'count' | 'at' | 'introductions' | 'timesAfter'>;

/**
 * Compares the table with the anchor outside it: the anchor may be behind by the rows of one transaction (a crash
 * between commit and anchor), never ahead, and the row that it names must be unchanged. Does not verify the rows
 * themselves. `latest` is the anchor after the rows were read, for a ledger whose owner goes on writing.
 */
export function checkAnchor(
  reader: AnchoredRows,
  found: FoundAnchor,
  latest: FoundAnchor = found,
): LedgerProblem | null {
  const rows = reader.count();
  if (found.kind === 'missing') return rows === 0 ? null : problem('anchor_missing', null);
  if (found.kind === 'unreadable') return problem('anchor_unreadable', null);
  const { anchor } = found;
  // An empty ledger has nothing to protect: its anchor is left from a start that ended before the first row.
  if (rows === 0 && anchor.count === 0) return null;
  return checkAgainstRows(reader, anchor) ?? checkLag(reader, latest);
}

/** Rows of one transaction share a time; what an owner wrote in two was anchored in between. */
function checkLag(reader: AnchoredRows, found: FoundAnchor): LedgerProblem | null {
  if (found.kind !== 'found') return null;
  const { count } = found.anchor;
  return reader.timesAfter(count) > 1 ? problem('anchor_behind', count + 1) : null;
}

function checkAgainstRows(reader: AnchoredRows, anchor: Anchor): LedgerProblem | null {
  const { count, head, keyId, signature } = anchor;
  // An anchor of no rows was signed with the key that the first row introduces.
  const row = reader.at(Math.max(count, 1));
  if (row === null) return problem('rows_cut', count);
  if (head !== (count === 0 ? noHash : row.hash)) return problem('rows_rewritten', count);
  const key = row.keyId === keyId ? introducedKey(reader.introductions(), keyId) : null;
  if (key === null) return problem('anchor_key_wrong', count);
  return verifiesSignature(anchorHash(anchor), signature, key)
    ? null
    : problem('anchor_signature_wrong', count);
}

/** The public key that a row of the ledger introduces under this id; null where none does. */
function introducedKey(introductions: LedgerRow[], keyId: string): PublicKey | null {
  const row = introductions.find((candidate) => candidate.keyId === keyId);
  const body = row && readBody(row.body);
  return (row && body && readIntroduction(row, body)?.publicKey) ?? null;
}

/** Progress of a walk. `ended` is true if no row is left, or one is wrong. */
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

/** Result for a table that Countersign did not make; no statement may be run on it. */
export function altered(chain: Chain): Step {
  return { chain, problem: problem('table_altered', null), ended: true };
}

/** Checks that every row was walked exactly once: the table agrees with its indexes and has no other rows. */
function checkTable(reader: LedgerReader, step: Step): Step {
  if (reader.isConsistent() && reader.countRows() === step.chain.rows) return step;
  return { ...step, problem: problem('table_damaged', null) };
}
