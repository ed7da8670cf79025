import { setImmediate } from 'node:timers/promises';
import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import { type Anchor, anchorHash, type FoundAnchor } from '../anchor.ts';
import { noHash, isHash, type PublicKey, verifiesSignature, verifiesSignatureLater } from '../signer.ts';
import {
  type Chain,
  emptyChain,
  verifyNextRow,
  verifyUnsigned,
  readBody,
  readIntroduction,
  type LedgerProblem,
  problem,
} from './chain.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { isMoment } from '#shared/lib/date-text.ts';

type AnchoredRows = Pick<LedgerReader, 'count' | 'at' | 'introductions' | 'timesAfter'>;

/** The anchor may be behind by the rows of one transaction, but never ahead. `latest` is the anchor read after the rows. */
export function checkAnchor(
  reader: AnchoredRows,
  found: FoundAnchor,
  latest: FoundAnchor = found,
): LedgerProblem | null {
  const rows = reader.count();
  if (found.kind === 'missing') return rows === 0 ? null : problem('anchor_missing', null);
  if (found.kind === 'unreadable') return problem('anchor_unreadable', null);
  const { anchor } = found;
  // A start that ended before the first row leaves an anchor of no rows.
  if (rows === 0 && anchor.count === 0) return null;
  return checkAgainstRows(reader, anchor) ?? checkLag(reader, latest);
}

function checkLag(reader: AnchoredRows, found: FoundAnchor): LedgerProblem | null {
  if (found.kind !== 'found') return null;
  const { count } = found.anchor;
  return reader.timesAfter(count) > 1 ? problem('anchor_behind', count + 1) : null;
}

function checkAgainstRows(reader: AnchoredRows, anchor: Anchor): LedgerProblem | null {
  const { count, head, keyId, signature } = anchor;
  // The key that the first row introduces signs an anchor of no rows.
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

export interface WalkStep {
  chain: Chain;
  problem: LedgerProblem | null;
  ended: boolean;
}

const batchSize = 200;

interface LinkedRows {
  rows: LedgerRow[];
  chains: [Chain, ...Chain[]];
  signatures: Promise<boolean[]>;
  problem: LedgerProblem | null;
}

function linkBatch(reader: LedgerReader, start: Chain): LinkedRows {
  const rows = reader.after(start.rows, batchSize);
  const signatures: Promise<boolean>[] = [];
  const chains: [Chain, ...Chain[]] = [start];
  let found: LedgerProblem | null = null;
  for (const row of rows) {
    const next = verifyUnsigned(lastOf(chains), row);
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

async function verified({ rows, chains, signatures, problem: found }: LinkedRows): Promise<WalkStep> {
  const wrongAt = (await signatures).indexOf(false);
  const row = rows[wrongAt];
  if (row !== undefined) {
    const before = chains[wrongAt] ?? chains[0];
    return { chain: before, problem: problem('signature_wrong', row.seq), ended: true };
  }
  return { chain: lastOf(chains), problem: found, ended: found !== null };
}

export function walkBatch(reader: LedgerReader, start: Chain): WalkStep {
  let chain = start;
  const rows = reader.after(start.rows, batchSize);
  for (const row of rows) {
    const next = verifyNextRow(chain, row);
    if ('problem' in next) return { chain, problem: next.problem, ended: true };
    chain = next.chain;
  }
  return { chain, problem: null, ended: rows.length < batchSize };
}

export async function walkAll(reader: LedgerReader, stopped: () => boolean): Promise<WalkStep> {
  if (!reader.isOwn()) return alteredStep(emptyChain());
  let step = walkBatch(reader, emptyChain());
  if (step.ended) return checkTableAfterRows(reader, step);
  let linked = linkBatch(reader, step.chain);
  for (;;) {
    await setImmediate();
    if (stopped()) return step;
    if (!reader.isOwn()) return alteredStep(step.chain);
    const next = linked.problem === null ? linkBatch(reader, lastOf(linked.chains)) : null;
    step = await verified(linked);
    if (stopped() || step.problem !== null) return step;
    if (next !== null && next.rows.length === batchSize) linked = next;
    else {
      if (!reader.isOwn()) return alteredStep(step.chain);
      // Checks the last rows and the table without yielding, because the app may append rows.
      step = walkBatch(reader, step.chain);
      if (step.ended) return checkTableAfterRows(reader, step);
      linked = linkBatch(reader, step.chain);
    }
  }
}

function checkTableAfterRows(reader: LedgerReader, step: WalkStep): WalkStep {
  return step.problem === null ? checkTable(reader, step) : step;
}

export function alteredStep(chain: Chain): WalkStep {
  return { chain, problem: problem('table_altered', null), ended: true };
}

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

export function anchoredCount(found: FoundAnchor): number | null {
  return found.kind === 'found' ? found.anchor.count : null;
}

/** Does not read a table that Countersign did not make. */
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
