import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { LedgerPageQuery, LedgerRow, LedgerReader } from '#core/store/app/index.ts';
import {
  type AppOutput,
  changesInRowSchema,
  type LedgerEntry,
  ledgerEntrySchema,
  type LedgerReport,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { lastMomentMs } from '#shared/lib/date-text.ts';
import { createAnchorKeeper, type Anchor, type FoundAnchor } from './anchor.ts';
import type { NewEntry } from './entry.ts';
import { exportPart, type LedgerExportQuery } from './export.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';
import { readBody, problem, emptyChain, type LedgerProblem } from './verify/chain.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Clock } from '#core/platform/clock.ts';
import {
  altered,
  checkAnchor,
  type WalkStep,
  walkAll,
  walkBatch,
  namedBy,
  reportOn,
  type CheckProgress,
} from './verify/walk.ts';

/** The append-only record of what was proposed, decided, sent and found. */
export interface Ledger extends AsyncDisposable {
  /**
   * Puts an entry on record. Must run inside `store.transaction`, with the state that it records; the anchor follows the
   * commit. Fails with `ledger_broken` when the ledger does not verify: nothing may be built on it.
   */
  append(entry: NewEntry): { seq: number; hash: string };
  /** Newest first. */
  list(query: LedgerPageQuery): { items: ListedEntry[]; total: number };
  /** The next part of an export as JSON Lines, oldest first. A broken ledger is exported too, and says so itself. */
  exportPart(query: LedgerExportQuery): AppOutput<'ledger.export'>;
  /** Signs an anchor for the ledger up to this row, for a copy of it. A broken ledger keeps the anchor that it has; null without one. */
  anchorOf(last: Pick<LedgerRow, 'seq' | 'hash'>): Anchor | null;
  /** Returns the known state after verifying a few more rows, so that it is fast; `unchecked` while more are left. */
  report(): LedgerReport;
  /** Verifies everything again, letting other work run meanwhile. */
  verify(): Promise<LedgerReport>;
}

type LedgerOptions = Omit<RecorderOptions, 'anchor' | 'follows'>;

/**
 * Opens the ledger of the store. Its rows are verified in the background; a table that does not fit its anchor is left
 * as it is found, and refuses new rows.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { store, clock, logger, onChange } = options;
  const anchor = createAnchorKeeper(store.folder);
  const follows = store.setAside === null ? null : anchor.setAside(store.setAside);
  const { ledger: reader, inTransaction } = store;
  const checker = createChecker({ reader, anchor: anchor.read, inTransaction, clock });
  const fits = checker.report().problem === null;
  const recorder = fits ? createRecorder({ ...options, anchor, follows }) : null;

  /** Returns the anchor for an export. A broken ledger keeps the anchor that it has: no new one is signed. */
  function anchorOf(last: Pick<LedgerRow, 'seq' | 'hash'>): Anchor | null {
    if (recorder !== null && checker.problem() === null) return recorder.anchorOf(last);
    const found = anchor.read();
    return found.kind === 'found' ? found.anchor : null;
  }

  function withAnchor(report: () => ReturnType<typeof checker.report>): LedgerReport {
    const anchorFailedSinceMs = recorder?.anchorFailedSinceMs() ?? null;
    return { ...report(), anchorFailedSinceMs };
  }

  const background = checker.verify().then(onChange, (failure: unknown) => {
    logger.error({ failure }, 'The ledger could not be verified');
  });

  return {
    append(entry) {
      const known = checker.problem();
      if (recorder === null || known !== null) throw broken(known);
      const { seq, hash } = recorder.append(entry);
      return { seq, hash };
    },
    list(query) {
      if (!reader.isOwn()) return { items: [], total: 0 };
      const { rows, total } = store.ledger.page(query);
      return { items: rows.map(entryView), total };
    },
    exportPart(query) {
      if (!reader.isOwn()) throw broken(problem('table_altered', null));
      return exportPart({ reader, anchorOf }, query);
    },
    anchorOf,
    report: () => withAnchor(checker.report),
    async verify() {
      const report = await checker.verify();
      return withAnchor(() => report);
    },
    async dispose() {
      await checker.dispose();
      await background;
    },
  };
}

function broken(found: LedgerReport['problem']): AppError {
  return new AppError(
    'ledger_broken',
    found ? { message: sentence`${ownWords(found.text)}`, data: { seq: found.seq } } : {},
  );
}

const { verdicts: verdictsSchema, verdictCount } = ledgerEntrySchema.shape;

interface ListedEntry extends Omit<LedgerEntry, 'profile'> {
  /** Null for a row about Countersign itself. */
  profileId: string | null;
}

/** A row as the pages show it: of an edited one no changes and verdicts that are none, and the nearest time that a date can have. */
function entryView({ signature: _signature, ...row }: LedgerRow): ListedEntry {
  const facts = readBody(row.body) ?? {};
  const { profile } = facts;
  return {
    ...row,
    atMs: Math.min(Math.max(row.atMs, 0), lastMomentMs),
    profileId: typeof profile === 'string' ? profile : null,
    changes: changesInRowSchema.safeParse(facts['changes']).data ?? [],
    verdicts: verdictsSchema.safeParse(facts['verdicts']).data ?? [],
    verdictCount: verdictCount.safeParse(facts['verdictCount']).data ?? null,
  };
}

type Report = Omit<LedgerReport, 'anchorFailedSinceMs'>;

interface Checker extends AsyncDisposable {
  problem(): LedgerProblem | null;
  /**
   * Cheap: verifies the table's definition and at most the next few rows, and none while a transaction is open, whose rows may still go away. A
   * ledger once found broken stays so until `verify` says otherwise.
   */
  report(): Report;
  verify(): Promise<Report>;
}

interface CheckerOptions {
  reader: LedgerReader;
  anchor: () => FoundAnchor;
  inTransaction: () => boolean;
  clock: Clock;
}

function createChecker({ reader, anchor, inTransaction, clock }: CheckerOptions): Checker {
  let known: CheckProgress = { chain: emptyChain(), problem: null, checkedAtMs: null, anchored: null };
  let stopped = false;
  learn(reader.isOwn() ? { ...known, ended: false } : altered(known.chain));

  function learn({ chain, problem, ended }: WalkStep): Report {
    const found = anchor();
    known = {
      chain,
      problem: problem ?? checkAnchor(reader, found),
      checkedAtMs: ended ? clock.nowMs() : known.checkedAtMs,
      anchored: namedBy(found),
    };
    return reportOn(reader, known);
  }

  function nextRows(): WalkStep {
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
