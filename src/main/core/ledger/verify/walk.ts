import { setImmediate } from 'node:timers/promises';
import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import { type Anchor, anchorHash, type FoundAnchor } from '../anchor.ts';
import { noHash, isHash, type PublicKey, verifiesSignature, verifiesSignatureLater } from '../signer.ts';
import {
  type Chain,
  emptyChain,
  follow,
  link,
  readBody,
  readIntroduction,
  type LedgerProblem,
  problem,
} from './chain.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { isMoment } from '#shared/lib/date-text.ts';

type AnchoredRows = Pick<LedgerReader, 'count' | 'at' | 'introductions' | 'timesAfter'>;

/**
 * The anchor may be behind by the rows of one transaction, never ahead, and its row must be unchanged. `latest` is the
 * anchor after the rows were read, for a ledger whose owner goes on writing.
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

function introducedKey(introductions: LedgerRow[], keyId: string): PublicKey | null {
  const row = introductions.find((candidate) => candidate.keyId === keyId);
  const body = row && readBody(row.body);
  return (row && body && readIntroduction(row, body)?.publicKey) ?? null;
}

/** Progress of a walk. `ended` is true if no row is left, or one is wrong. */
export interface WalkStep {
  chain: Chain;
  problem: LedgerProblem | null;
  ended: boolean;
}

const batchSize = 200;

interface LinkedRows {
  rows: LedgerRow[];
  /** Before each row, and after the last that is linked. */
  chains: [Chain, ...Chain[]];
  signatures: Promise<boolean[]>;
  /** The problem with the row after those that are linked; null for none. */
  problem: LedgerProblem | null;
}

function linkBatch(reader: LedgerReader, start: Chain): LinkedRows {
  const rows = reader.after(start.rows, batchSize);
  const signatures: Promise<boolean>[] = [];
  const chains: [Chain, ...Chain[]] = [start];
  let found: LedgerProblem | null = null;
  for (const row of rows) {
    const next = link(lastOf(chains), row);
    if ('problem' in next) {
      found = next.problem;
      break;
    }
    chains.push(next.chain);
    signatures.push(verifiesSignatureLater(row.hash, row.signature, next.key));
  }
  return { rows, chains, signatures: Promise.all(signatures), problem: found };
}

function lastOf(chains: LinkedRows['chains']): Chain {
  return chains.at(-1) ?? chains[0];
}

/** The step of these rows, once their signatures are verified. A wrong one precedes what is wrong with a later row. */
async function verified({ rows, chains, signatures, problem: found }: LinkedRows): Promise<WalkStep> {
  const wrongAt = (await signatures).indexOf(false);
  const row = rows[wrongAt];
  if (row !== undefined) {
    const before = chains[wrongAt] ?? chains[0];
    return { chain: before, problem: problem('signature_wrong', row.seq), ended: true };
  }
  return { chain: lastOf(chains), problem: found, ended: found !== null };
}

/** Verifies the next batch of rows, at once. */
export function walkBatch(reader: LedgerReader, start: Chain): WalkStep {
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
 * Verifies table and rows, letting other work run between batches; stops early when told so. No row escapes: `seq` is the
 * key.
 */
export async function walkAll(reader: LedgerReader, stopped: () => boolean): Promise<WalkStep> {
  if (!reader.isOwn()) return altered(emptyChain());
  // A short ledger is verified at once.
  let step = walkBatch(reader, emptyChain());
  if (step.ended) return ofTable(reader, step);
  let linked = linkBatch(reader, step.chain);
  for (;;) {
    await setImmediate();
    if (stopped()) return step;
    if (!reader.isOwn()) return altered(step.chain);
    // The links of the next rows are checked while the signatures of these are.
    const next = linked.problem === null ? linkBatch(reader, lastOf(linked.chains)) : null;
    step = await verified(linked);
    if (stopped() || step.problem !== null) return step;
    if (next !== null && next.rows.length === batchSize) linked = next;
    else {
      if (!reader.isOwn()) return altered(step.chain);
      // The last rows are verified at once, so that the table is checked with all of them while its owner goes on writing.
      step = walkBatch(reader, step.chain);
      if (step.ended) return ofTable(reader, step);
      linked = linkBatch(reader, step.chain);
    }
  }
}

function ofTable(reader: LedgerReader, step: WalkStep): WalkStep {
  return step.problem === null ? checkTable(reader, step) : step;
}

/** Result for a table that Countersign did not make; no statement may be run on it. */
export function altered(chain: Chain): WalkStep {
  return { chain, problem: problem('table_altered', null), ended: true };
}

/** Checks that every row was walked exactly once: the table agrees with its indexes and has no other rows. */
function checkTable(reader: LedgerReader, step: WalkStep): WalkStep {
  if (reader.isConsistent() && reader.countRows() === step.chain.rows) return step;
  return { ...step, problem: problem('table_damaged', null) };
}

export interface CheckProgress {
  chain: Chain;
  problem: LedgerProblem | null;
  checkedAtMs: number | null;
  anchored: number | null;
}

export function namedBy(found: FoundAnchor): number | null {
  return found.kind === 'found' ? found.anchor.count : null;
}

/**
 * `unchecked` while rows are left. A table that Countersign did not make is not read, and no head or time is taken from a
 * last row that has none.
 */
export function reportOn(
  reader: LedgerReader,
  known: CheckProgress,
): Omit<LedgerReport, 'anchorFailedSinceMs'> {
  const { chain, problem, checkedAtMs, anchored } = known;
  const isReadable = reader.isOwn();
  const rows = isReadable ? reader.count() : chain.rows;
  const last = isReadable ? reader.last() : null;
  return {
    state: problem !== null ? 'broken' : chain.rows === rows ? 'verified' : 'unchecked',
    rows,
    head: isHash(last?.hash) ? last.hash : chain.head,
    sealedAtMs: isMoment(last?.atMs) ? last.atMs : null,
    checkedAtMs,
    anchored,
    keys: chain.keys,
    ...(chain.restores.length > 0 && { restores: chain.restores }),
    problem,
  };
}
