import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, LedgerRow } from '#core/store/app/index.ts';
import { signAnchor, type Anchor } from './anchor/anchor.ts';
import type { AnchorKeeper, FollowedLedger } from './anchor/anchor-keeper.ts';
import { sealEntry, type NewEntry } from './entry.ts';
import { noHash } from './row-hash.ts';
import { introduceSigner, loadSigner, type KeyStore, type Signer } from './signer.ts';
import { keyIntroduced } from './verify/introduction.ts';

export interface RecorderOptions {
  store: AppStore;
  keys: KeyStore;
  anchor: AnchorKeeper;
  /** The ledger that this one follows because its database was damaged; null otherwise. */
  follows: FollowedLedger | null;
  clock: Clock;
  logger: Logger;
  /** Called after rows were committed and anchored. */
  onChange: () => void;
}

/** Writes rows: chained, signed, and anchored once they are committed. */
export interface Recorder {
  /** Inside a transaction of the store. */
  append(entry: NewEntry): LedgerRow;
  /** Signs for the rows as they stand: what an export carries instead of the file beside the table. */
  anchorOf(last: LedgerRow): Anchor;
}

/**
 * Starts with the ledger's last key where this session can open it; otherwise makes one, which the ledger's next row
 * introduces. The table and its anchor must agree already.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, keys, anchor, follows, clock, logger, onChange } = options;
  const found = anchor.read();
  let anchored = found.kind === 'found' ? found.anchor.count : 0;

  function append(entry: NewEntry, signer: Signer): LedgerRow {
    store.afterCommit(() => {
      if (sealEnd(signer)) onChange();
    });
    const last = store.ledger.last();
    const place = { seq: (last?.seq ?? 0) + 1, atMs: clock.nowMs(), previousHash: last?.hash ?? noHash };
    const row = sealEntry(entry, place, signer);
    store.ledger.append(row);
    return row;
  }

  /** Moves the anchor to the last row; false when it stands there already. */
  function sealEnd(signer: Signer): boolean {
    const last = store.ledger.last();
    if (last === null || last.seq === anchored) return false;
    try {
      anchor.seal({ count: last.seq, head: last.hash }, signer);
      anchored = last.seq;
    } catch (failure) {
      // The rows are safe and the next commit anchors them too: an anchor may be behind.
      logger.error({ failure, seq: last.seq }, 'The ledger anchor could not be written');
    }
    return true;
  }

  function introduce(previousKeyId: string | null): Signer {
    return store.transaction(() => {
      const signer = introduceSigner(keys);
      // Before the first row: a ledger with rows and no anchor has lost it.
      if (previousKeyId === null) anchor.seal({ count: 0, head: noHash }, signer);
      append(introduction(signer, previousKeyId, follows), signer);
      return signer;
    });
  }

  const lastKeyId = store.ledger.introductions().at(-1)?.keyId ?? null;
  const signer = (lastKeyId && loadSigner(keys, lastKeyId)) || introduce(lastKeyId);
  sealEnd(signer);
  return {
    append: (entry) => append(entry, signer),
    anchorOf: ({ seq, hash }) => signAnchor({ count: seq, head: hash }, signer),
  };
}

function introduction(
  { publicKey }: Signer,
  previousKeyId: string | null,
  follows: FollowedLedger | null,
): NewEntry {
  const first = previousKeyId === null;
  return {
    kind: keyIntroduced,
    proposalId: null,
    actor: 'Countersign',
    via: null,
    summary: first
      ? `The ledger begins, signed with key ${publicKey.keyId}`
      : `A new session signs with key ${publicKey.keyId}; the key before could not be opened`,
    body: { publicKey: publicKey.text, previousKeyId, endorsed: first, follows: follows && { ...follows } },
  };
}
