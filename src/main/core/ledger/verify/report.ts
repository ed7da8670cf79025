import type { LedgerReport } from '#shared/app-api/index.ts';
import type { LedgerReader } from '#core/store/app/index.ts';
import { isMoment } from '#shared/lib/date-text.ts';
import type { FoundAnchor } from '../anchor/anchor.ts';
import { isHash } from '../row-hash.ts';
import type { Chain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';

/** The known facts of a ledger. */
export interface CheckProgress {
  chain: Chain;
  problem: LedgerProblem | null;
  checkedAtMs: number | null;
  /** Number of rows that the anchor names. */
  anchored: number | null;
}

/** Returns the number of rows that an anchor names; null if none can be read. */
export function namedBy(found: FoundAnchor): number | null {
  return found.kind === 'found' ? found.anchor.count : null;
}

/**
 * Reports on the ledger in its current state: `unchecked` while rows are left to verify. A table that Countersign did
 * not make is not read. The last row may not be verified: a head that is no hash, and a time that is none, are not taken from it.
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
