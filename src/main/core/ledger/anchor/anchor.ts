import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '#system/replace-file.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { sha256 } from '../row-hash.ts';
import type { Signer } from '../signer.ts';

/** The record outside the table: number of rows, hash of the last, and a signature over both. */
export interface Anchor {
  count: number;
  head: string;
  /** The key that signed the row at `count` and this anchor. */
  keyId: string;
  /** Ed25519 over the 32 bytes of {@link anchorHash}, base64url. */
  signature: string;
}

/** The hash that an anchor's signature covers. `purpose` keeps it from ever being a row's. */
export function anchorHash({ count, head, keyId }: Omit<Anchor, 'signature'>): string {
  return sha256(canonicalJson({ purpose: 'countersign ledger anchor', count, head, keyId }));
}

/** Signs for this many rows with this hash at the end. */
export function signAnchor({ count, head }: { count: number; head: string }, signer: Signer): Anchor {
  const content = { count, head, keyId: signer.publicKey.keyId };
  return { ...content, signature: signer.sign(anchorHash(content)) };
}

/** The form of an anchor; whether it is true is the verifier's question. Null where it has none. */
export function readAnchorForm(value: unknown): Anchor | null {
  if (typeof value !== 'object' || value === null) return null;
  const { count, head, keyId, signature } = value as Partial<Anchor>;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return null;
  if (typeof head !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') return null;
  return { count, head, keyId, signature };
}

/** Result of looking for the anchor file. */
export type FoundAnchor = { kind: 'missing' } | { kind: 'unreadable' } | { kind: 'found'; anchor: Anchor };

/** The anchor's path beside the database in this folder. */
export function anchorFile(folder: string): string {
  return join(folder, 'ledger.anchor.json');
}

/** Reads an anchor's form; whether it is true is the verifier's question. */
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

/** An anchor is a fraction of this. */
const maxBytes = 64 * 1024;

/** Fails for what is no file or too large: a forged folder may have a pipe or an endless device there. */
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

/** Replaces the anchor so that after a crash the old one or the new one is there, complete and on disk. */
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
