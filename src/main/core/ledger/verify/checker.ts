import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { LedgerReader } from '#core/store/app/index.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import type { FoundAnchor } from '../anchor/anchor.ts';
import { altered, checkAnchor, type Step, walkAll, walkBatch } from './walk.ts';
import { emptyChain } from './chain.ts';
import type { LedgerProblem } from './problem.ts';
import { namedBy, reportOn, type CheckProgress } from './report.ts';

type Report = Omit<LedgerReport, 'anchorFailedSinceMs'>;

/** Knows how far the own ledger has verified, and goes on from there. */
export interface Checker extends AsyncDisposable {
  /** Returns the known problem, without reading any row. */
  problem(): LedgerProblem | null;
  /**
   * Cheap: verifies the table's definition and at most the next few rows, and none while a transaction is open, whose rows may still go away. A
   * ledger once found broken stays so until `verify` says otherwise.
   */
  report(): Report;
  /** Everything again from the first row. */
  verify(): Promise<Report>;
}

export interface CheckerOptions {
  reader: LedgerReader;
  anchor: () => FoundAnchor;
  /** True while rows may still be rolled back. */
  inTransaction: () => boolean;
  clock: Clock;
}

/** Starts with nothing verified. */
export function createChecker({ reader, anchor, inTransaction, clock }: CheckerOptions): Checker {
  let known: CheckProgress = { chain: emptyChain(), problem: null, checkedAtMs: null, anchored: null };
  let stopped = false;
  learn(reader.isOwn() ? { ...known, ended: false } : altered(known.chain));

  function learn({ chain, problem, ended }: Step): Report {
    const found = anchor();
    known = {
      chain,
      problem: problem ?? checkAnchor(reader, found),
      checkedAtMs: ended ? clock.nowMs() : known.checkedAtMs,
      anchored: namedBy(found),
    };
    return reportOn(reader, known);
  }

  function nextRows(): Step {
    return reader.isOwn() ? walkBatch(reader, known.chain) : altered(known.chain);
  }

  return {
    problem: () => known.problem,
    report: () => (known.problem !== null || inTransaction() ? reportOn(reader, known) : learn(nextRows())),
    verify: async () => learn(await walkAll(reader, () => stopped)),
    dispose: async () => {
      stopped = true;
    },
  };
}
