import { existsSync, closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { refuseFolders } from '#core/platform/disk-places.ts';
import { replaceFileSync } from '#system/replace-file.ts';
import type { LedgerRow } from '#core/store/app/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { noHash, type Signer, sha256 } from './signer.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';

export interface PreviousLedger {
  database: string;
  /** Number of rows in the ledger's anchor; null if the anchor is lost too. */
  count: number | null;
  head: string | null;
}

export interface AnchorKeeper {
  read(): FoundAnchor;
  /** Durable when it returns. Fails with a code of {@link diskFailure}. */
  seal(place: { count: number; head: string }, signer: Signer): void;
  setAside(database: string): PreviousLedger;
}

/** Fails with `path_occupied` if a folder has the anchor's name. */
export function createAnchorKeeper(folder: string): AnchorKeeper {
  const file = anchorFile(folder);
  refuseFolders([file, `${file}.new`]);
  return {
    read: () => readAnchor(file),
    seal(place, signer) {
      const anchor = signAnchor(place, signer);
      try {
        writeAnchor(file, anchor);
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
    },
    setAside(database) {
      const found = readAnchor(file);
      if (existsSync(file)) replaceFileSync(file, `${database}.anchor.json`);
      const { count, head } = found.kind === 'found' ? found.anchor : { count: null, head: null };
      return { database: basename(database), count, head };
    },
  };
}

/**
 * Keeps the anchor at the last row. Rows after the anchor can be cut off unnoticed, so a transaction begins only when the anchor
 * names every row: a crash leaves at most the rows of one transaction unnamed.
 */
export interface AnchorTracker {
  /** Writes an anchor of no rows. Fails with `disk_full` or `storage_failed`. */
  begin(signer: Signer): void;
  /** Rows of one transaction share a time; the next transaction has a different time. */
  placeAfter(last: LedgerRow | null): { seq: number; atMs: number };
  /** Returns false if the anchor already names the row. A failure is remembered, not thrown. */
  moveTo(last: LedgerRow | null, signer: Signer): boolean;
  /** Call it before the first row of a transaction. Retries a failed write of the anchor, then fails as `begin` does. */
  assertNamed(last: LedgerRow | null, signer: Signer): void;
  /** When writing the anchor first failed; null if the last write succeeded. */
  failedSinceMs(): number | null;
}

export interface AnchoredEndOptions {
  anchor: AnchorKeeper;
  last: LedgerRow | null;
  clock: Clock;
  logger: Logger;
}

export function createAnchoredEnd({
  anchor,
  last: atStart,
  clock,
  logger,
}: AnchoredEndOptions): AnchorTracker {
  const found = anchor.read();
  let anchoredSeq = found.kind === 'found' ? found.anchor.count : 0;
  let committed = atStart?.seq ?? 0;
  let failed: { sinceMs: number; code: 'disk_full' | 'storage_failed' } | null = null;

  function moveTo(last: LedgerRow | null, signer: Signer): boolean {
    if (last === null || last.seq === anchoredSeq) return false;
    committed = last.seq;
    seal({ count: last.seq, head: last.hash }, signer);
    return true;
  }

  function seal(place: { count: number; head: string }, signer: Signer): void {
    try {
      anchor.seal(place, signer);
      anchoredSeq = place.count;
      failed = null;
    } catch (failure) {
      const isFull = failure instanceof AppError && failure.code === 'disk_full';
      failed = {
        sinceMs: failed?.sinceMs ?? clock.nowMs(),
        code: isFull ? 'disk_full' : 'storage_failed',
      };
      logger.error({ failure, seq: place.count }, 'The ledger anchor could not be written');
    }
  }

  function refuseUnnamed(): void {
    if (failed !== null) throw new AppError(failed.code, { message: cannotBeWritten });
  }

  return {
    begin(signer) {
      seal({ count: 0, head: noHash }, signer);
      refuseUnnamed();
    },
    placeAfter(last) {
      const seq = (last?.seq ?? 0) + 1;
      if (last !== null && last.seq > committed) return { seq, atMs: last.atMs };
      const atMs = clock.nowMs();
      return { seq, atMs: atMs === last?.atMs ? atMs + 1 : atMs };
    },
    moveTo,
    assertNamed(last, signer) {
      if (last === null || last.seq !== committed) return;
      moveTo(last, signer);
      refuseUnnamed();
    },
    failedSinceMs: () => failed?.sinceMs ?? null,
  };
}

const cannotBeWritten = 'The anchor of the ledger cannot be written, so nothing more is recorded.';

export interface Anchor {
  count: number;
  head: string;
  keyId: string;
  /** Ed25519 signature over the 32 bytes of {@link anchorHash}, base64url. */
  signature: string;
}

/** `purpose` keeps the hash of an anchor distinct from the hash of a row. */
export function anchorHash({ count, head, keyId }: Omit<Anchor, 'signature'>): string {
  return sha256(canonicalJson({ purpose: 'countersign ledger anchor', count, head, keyId }));
}

export function signAnchor({ count, head }: { count: number; head: string }, signer: Signer): Anchor {
  const content = { count, head, keyId: signer.publicKey.keyId };
  return { ...content, signature: signer.sign(anchorHash(content)) };
}

export function readAnchorForm(value: unknown): Anchor | null {
  if (typeof value !== 'object' || value === null) return null;
  const { count, head, keyId, signature } = value as Partial<Anchor>;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return null;
  if (typeof head !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') return null;
  return { count, head, keyId, signature };
}

export type FoundAnchor = { kind: 'missing' } | { kind: 'unreadable' } | { kind: 'found'; anchor: Anchor };

export function anchorFile(folder: string): string {
  return join(folder, 'ledger.anchor.json');
}

export function readAnchor(file: string): FoundAnchor {
  let text;
  try {
    text = readSmallFile(file);
  } catch (failure) {
    const missing = (failure as NodeJS.ErrnoException).code === 'ENOENT';
    return { kind: missing ? 'missing' : 'unreadable' };
  }
  const anchor = parseAnchor(text);
  return anchor === null ? { kind: 'unreadable' } : { kind: 'found', anchor };
}

const maxBytes = 64 * 1024;

/** Reads only a small regular file: a forged folder may have a pipe or an endless device in place of the anchor. */
function readSmallFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size > maxBytes) throw new Error('It is no anchor');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces the anchor atomically: after a crash either the old or the new anchor exists, complete. */
export function writeAnchor(file: string, anchor: Anchor): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(anchor)}\n`, { mode: 0o600, flush: true });
  replaceFileSync(fresh, file);
}

function parseAnchor(text: string): Anchor | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch {
    return null;
  }
  return readAnchorForm(value);
}
