import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAnchorForm, type Anchor } from './anchor.ts';

/** What lies where the anchor should be. */
export type FoundAnchor = { kind: 'missing' } | { kind: 'unreadable' } | { kind: 'found'; anchor: Anchor };

/** The anchor's path beside the database in this folder. */
export function anchorFile(folder: string): string {
  return join(folder, 'ledger.anchor.json');
}

/** Reads an anchor's form; whether it is true is the verifier's question. */
export function readAnchor(file: string): FoundAnchor {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    const missing = (failure as NodeJS.ErrnoException).code === 'ENOENT';
    return { kind: missing ? 'missing' : 'unreadable' };
  }
  const anchor = parseAnchor(text);
  return anchor === null ? { kind: 'unreadable' } : { kind: 'found', anchor };
}

/** Replaces the anchor so that after a crash the old one or the new one is there, whole and on the disk. */
export function writeAnchor(file: string, anchor: Anchor): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(anchor)}\n`, { mode: 0o600, flush: true });
  renameSync(fresh, file);
  // Windows cannot open a folder, and makes a rename durable by itself.
  if (process.platform !== 'win32') syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function parseAnchor(text: string): Anchor | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return readAnchorForm(value);
}
