import type { Clock } from '#core/platform/clock.ts';
import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { LedgerPageQuery, LedgerRow, LedgerReader, AppStore } from '#core/store/app/index.ts';
import {
  type AppOutput,
  changesInRowSchema,
  type LedgerEntry,
  ledgerEntrySchema,
  type LedgerReport,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { lastMomentMs } from '#shared/lib/date-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import {
  createAnchorKeeper,
  type Anchor,
  type FoundAnchor,
  signAnchor,
  type AnchorKeeper,
  createAnchoredEnd,
  type PreviousLedger,
} from './anchor.ts';
import { type NewEntry, sealEntry } from './entry.ts';
import { exportPart, type LedgerExportQuery } from './export.ts';
import { noHash, introduceSigner, loadSigner, type KeyStore, type Signer } from './signer.ts';
import { readBody, problem, emptyChain, type LedgerProblem, keyIntroduced } from './verify/chain.ts';
import {
  alteredStep,
  checkAnchor,
  type WalkStep,
  walkAll,
  walkBatch,
  anchoredCount,
  reportOn,
  type CheckProgress,
} from './verify/walk.ts';

export interface Ledger extends AsyncDisposable {
  /** Must run inside `store.transaction`, together with the change that it records. Fails with `ledger_broken`. */
  append(entry: NewEntry): { seq: number; hash: string };
  list(query: LedgerPageQuery): { items: ListedEntry[]; total: number };
  /** JSON Lines, oldest row first. A broken ledger can be exported too. */
  exportPart(query: LedgerExportQuery): AppOutput<'ledger.export'>;
  /** Signs an anchor for a copy of the rows up to this row. A broken ledger keeps its existing anchor; null if it has none. */
  anchorOf(last: Pick<LedgerRow, 'seq' | 'hash'>): Anchor | null;
  /** Verifies a few more rows; the state is `unchecked` while unverified rows remain. */
  report(): LedgerReport;
  verify(): Promise<LedgerReport>;
  /** Verifies every row once and reports the end with `onChange`. Later calls do nothing. */
  verifyInBackground(): void;
}

interface LedgerOptions {
  store: AppStore;
  keys: KeyStore;
  clock: Clock;
  logger: Logger;
  onChange: () => void;
}

/** Refuses new rows if the table contradicts its anchor. */
export function createLedger(options: LedgerOptions): Ledger {
  const { store, clock, logger, onChange } = options;
  const anchor = createAnchorKeeper(store.folder);
  const follows = store.setAside === null ? null : anchor.setAside(store.setAside);
  const { ledger: reader, inTransaction } = store;
  const checker = createChecker({ reader, anchor: anchor.read, inTransaction, clock });
  const fits = checker.report().problem === null;
  const recorder = fits ? createRecorder(options, { anchor, follows }) : null;

  function anchorOf(last: Pick<LedgerRow, 'seq' | 'hash'>): Anchor | null {
    if (recorder !== null && checker.problem() === null) return recorder.anchorOf(last);
    const found = anchor.read();
    return found.kind === 'found' ? found.anchor : null;
  }

  function withAnchor(report: () => ReturnType<typeof checker.report>): LedgerReport {
    const anchorFailedSinceMs = recorder?.anchorFailedSinceMs() ?? null;
    return { ...report(), anchorFailedSinceMs };
  }

  let background: Promise<void> | null = null;

  async function verifyOnce(): Promise<void> {
    try {
      await checker.verify();
      onChange();
    } catch (failure) {
      logger.error({ failure }, 'The ledger could not be verified');
    }
  }

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
    verifyInBackground: () => void (background ??= verifyOnce()),
    async dispose() {
      background ??= Promise.resolve();
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
  profileId: string | null;
}

/** Replaces values of an edited row that pages cannot show. */
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

function createChecker({
  reader,
  anchor,
  inTransaction,
  clock,
}: {
  reader: LedgerReader;
  anchor: () => FoundAnchor;
  inTransaction: () => boolean;
  clock: Clock;
}) {
  let known: CheckProgress = { chain: emptyChain(), problem: null, checkedAtMs: null, anchored: null };
  let stopped = false;
  learn(reader.isOwn() ? { ...known, ended: false } : alteredStep(known.chain));

  function learn({ chain, problem, ended }: WalkStep): Report {
    const found = anchor();
    known = {
      chain,
      problem: problem ?? checkAnchor(reader, found),
      checkedAtMs: ended ? clock.nowMs() : known.checkedAtMs,
      anchored: anchoredCount(found),
    };
    return reportOn(reader, known);
  }

  function nextRows(): WalkStep {
    return reader.isOwn() ? walkBatch(reader, known.chain) : alteredStep(known.chain);
  }

  return {
    problem: (): LedgerProblem | null => known.problem,
    /** A broken state remains until `verify` is called. */
    report: (): Report =>
      known.problem !== null || inTransaction() ? reportOn(reader, known) : learn(nextRows()),
    verify: async (): Promise<Report> => learn(await walkAll(reader, () => stopped)),
    dispose: async () => {
      stopped = true;
    },
  };
}

/** Continues with the ledger's last key, or introduces a new key if the last key cannot be opened. */
function createRecorder(
  { store, keys, clock, logger, onChange }: LedgerOptions,
  { anchor, follows }: { anchor: AnchorKeeper; follows: PreviousLedger | null },
) {
  const end = createAnchoredEnd({ anchor, last: store.ledger.last(), clock, logger });
  const conceal = createTokenConcealer(store.oauth, clock);
  let signer: Signer | null = null;

  function append(entry: NewEntry, key: Signer): LedgerRow {
    let moved = false;
    store.rightAfterCommit(() => {
      moved = end.moveTo(store.ledger.last(), key);
    });
    store.afterCommit(() => {
      if (moved) onChange();
    });
    const last = store.ledger.last();
    const place = { ...end.placeAfter(last), previousHash: last?.hash ?? noHash };
    const row = sealEntry(entry, place, key);
    store.ledger.append(row);
    return row;
  }

  /** Joins the caller's transaction, which may be rolled back: only a committed key is used again. */
  function open(): Signer {
    return store.transaction(() => {
      const lastKeyId = store.ledger.introductions().at(-1)?.keyId ?? null;
      const key = (lastKeyId && loadSigner(keys, lastKeyId)) || introduce(lastKeyId);
      store.rightAfterCommit(() => (signer = key));
      return key;
    });
  }

  function introduce(previousKeyId: string | null): Signer {
    const key = introduceSigner(keys);
    if (previousKeyId === null) end.begin(key);
    append(introduction(key, previousKeyId, follows), key);
    return key;
  }

  /** Conceals agents' tokens: a row is never removed, and a service may use a token as a name or value. */
  function withoutTokens(entry: NewEntry): NewEntry {
    const body = JSON.stringify(entry.body);
    const kept = conceal(body);
    return {
      ...entry,
      actor: conceal(entry.actor),
      summary: sentence`${ownWords(conceal(entry.summary))}`,
      body: kept === body ? entry.body : (JSON.parse(kept) as JsonObject),
    };
  }

  function nameLast(): void {
    try {
      const key = signer ?? open();
      end.moveTo(store.ledger.last(), key);
    } catch (failure) {
      if (end.failedSinceMs() === null) throw failure;
    }
  }

  nameLast();
  return {
    /**
     * Must run inside a transaction. Conceals living tokens of agents. Fails with `storage_failed` or `disk_full` while the
     * anchor does not name the previous rows.
     */
    append(entry: NewEntry): LedgerRow {
      const key = signer ?? open();
      end.assertNamed(store.ledger.last(), key);
      return append(withoutTokens(entry), key);
    },
    anchorOf: ({ seq, hash }: Pick<LedgerRow, 'seq' | 'hash'>): Anchor =>
      signAnchor({ count: seq, head: hash }, signer ?? open()),
    /** Tries to write the anchor again, but only outside transactions. */
    anchorFailedSinceMs(): number | null {
      if (end.failedSinceMs() !== null && !store.inTransaction()) nameLast();
      return end.failedSinceMs();
    },
  };
}

function introduction(
  { publicKey }: Signer,
  previousKeyId: string | null,
  follows: PreviousLedger | null,
): NewEntry {
  const first = previousKeyId === null;
  return {
    kind: keyIntroduced,
    proposalId: null,
    actor: 'Countersign',
    via: null,
    summary: first
      ? sentence`The ledger begins, signed with key ${ownWords(publicKey.keyId)}`
      : sentence`A new session signs with key ${ownWords(publicKey.keyId)}; the key before could not be opened`,
    body: { publicKey: publicKey.text, previousKeyId, endorsed: first, follows: follows && { ...follows } },
  };
}
