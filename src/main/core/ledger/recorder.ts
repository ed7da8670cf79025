import type { Clock } from '#core/platform/clock.ts';
import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, LedgerRow } from '#core/store/app/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  signAnchor,
  type Anchor,
  type AnchorKeeper,
  createAnchoredEnd,
  type FollowedLedger,
} from './anchor.ts';
import { sealEntry, type NewEntry } from './entry.ts';
import { noHash, introduceSigner, loadSigner, type KeyStore, type Signer } from './signer.ts';
import { keyIntroduced } from './verify/chain.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export interface RecorderOptions {
  store: AppStore;
  keys: KeyStore;
  anchor: AnchorKeeper;
  /** The ledger that this one follows because its database was damaged; null otherwise. */
  follows: FollowedLedger | null;
  clock: Clock;
  logger: Logger;
  onChange: () => void;
}

export interface Recorder {
  /**
   * Inside a transaction of the store. Living tokens of agents are removed from the texts of the entry. Fails with `storage_failed` or
   * `disk_full` while the anchor does not name the rows of the transaction before: rows behind an anchor can be cut off unseen, so
   * they are never more than those of one transaction.
   */
  append(entry: NewEntry): LedgerRow;
  /** Signs an anchor of the current rows, which an export contains instead of the file beside the table. */
  anchorOf(last: Pick<LedgerRow, 'seq' | 'hash'>): Anchor;
  /**
   * Time since which the anchor could not be written, after another try outside transactions; null while it names the
   * last row.
   */
  anchorFailedSinceMs(): number | null;
}

/**
 * Starts with the ledger's last key where this session can open it; otherwise makes one, which the ledger's next row
 * introduces. A ledger without rows begins later where its first anchor cannot be written now. The table and its anchor must agree
 * already.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, keys, follows, onChange } = options;
  const end = createAnchoredEnd({ ...options, last: store.ledger.last() });
  const conceal = createTokenConcealer(store.oauth, options.clock);
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

  /** Joins the caller's transaction, which may still be rolled back: only a committed key is kept. */
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

  /** A row is never removed, and a service may give a token of an agent as the name or the value of anything. */
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

  /** Outside transactions. A first anchor that cannot be written is remembered, and tried again with the next row or report. */
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
    append(entry) {
      const key = signer ?? open();
      end.assertNamed(store.ledger.last(), key);
      return append(withoutTokens(entry), key);
    },
    anchorOf: ({ seq, hash }) => signAnchor({ count: seq, head: hash }, signer ?? open()),
    anchorFailedSinceMs() {
      if (end.failedSinceMs() !== null && !store.inTransaction()) nameLast();
      return end.failedSinceMs();
    },
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
      ? sentence`The ledger begins, signed with key ${ownWords(publicKey.keyId)}`
      : sentence`A new session signs with key ${ownWords(publicKey.keyId)}; the key before could not be opened`,
    body: { publicKey: publicKey.text, previousKeyId, endorsed: first, follows: follows && { ...follows } },
  };
}
