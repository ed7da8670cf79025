import type { LedgerReport } from '#shared/app-api/index.ts';
import type { LedgerReader } from '#core/store/app/index.ts';
import type { Chain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';

/**
 * What the verifier says about the ledger as it stands: `unchecked` while rows are left to verify. A table that somebody
 * else made is not read.
 */
export function reportOn(
  reader: LedgerReader,
  known: { chain: Chain; problem: LedgerProblem | null; checkedAtMs: number | null },
): LedgerReport {
  const { chain, problem, checkedAtMs } = known;
  const isReadable = reader.isOwn();
  const rows = isReadable ? reader.count() : chain.rows;
  const last = isReadable ? reader.last() : null;
  return {
    state: problem !== null ? 'broken' : chain.rows === rows ? 'verified' : 'unchecked',
    rows,
    head: last?.hash ?? chain.head,
    sealedAtMs: last?.atMs ?? null,
    checkedAtMs,
    keys: chain.keys,
    problem,
  };
}
