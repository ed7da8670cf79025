import type { LedgerReport } from '#shared/app-api/index.ts';
import type { LedgerReader } from '#core/store/app/index.ts';
import type { FoundAnchor } from '../anchor/anchor.ts';
import type { Chain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';

/** The known facts of a ledger. */
export interface Known {
  chain: Chain;
  problem: LedgerProblem | null;
  checkedAtMs: number | null;
  /** How many rows the anchor names. */
  anchored: number | null;
}

/** How many rows an anchor names; null where none can be read. */
export function namedBy(found: FoundAnchor): number | null {
  return found.kind === 'found' ? found.anchor.count : null;
}

/**
 * What the verifier says about the ledger as it stands: `unchecked` while rows are left to verify. A table that somebody
 * else made is not read.
 */
export function reportOn(reader: LedgerReader, known: Known): Omit<LedgerReport, 'anchorFailedSinceMs'> {
  const { chain, problem, checkedAtMs, anchored } = known;
  const isReadable = reader.isOwn();
  const rows = isReadable ? reader.count() : chain.rows;
  const last = isReadable ? reader.last() : null;
  return {
    state: problem !== null ? 'broken' : chain.rows === rows ? 'verified' : 'unchecked',
    rows,
    head: last?.hash ?? chain.head,
    sealedAtMs: last?.atMs ?? null,
    checkedAtMs,
    anchored,
    keys: chain.keys,
    problem,
  };
}
