import type { LedgerReport } from '#shared/app-api/index.ts';
import type { LedgerReader } from '#core/store/app/index.ts';
import { noHash } from '../row-hash.ts';
import type { Chain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';

/** What the verifier says about the ledger as it stands: `unchecked` while rows are left to verify. */
export function reportOn(
  reader: LedgerReader,
  known: { chain: Chain; problem: LedgerProblem | null; checkedAtMs: number | null },
): LedgerReport {
  const { chain, problem, checkedAtMs } = known;
  const rows = reader.count();
  const last = reader.last();
  return {
    state: problem !== null ? 'broken' : chain.rows === rows ? 'verified' : 'unchecked',
    rows,
    head: last?.hash ?? noHash,
    sealedAtMs: last?.atMs ?? null,
    checkedAtMs,
    keys: chain.keys,
    problem,
  };
}
