import type { LedgerRow } from '#core/store/app/index.ts';
import type { ExportHeader } from '../export/export-header.ts';
import { readPublicKey, signatureHolds, type PublicKey } from '../keys.ts';
import { edited, isWellFormed } from './chain.ts';
import { readBody } from './introduction.ts';
import { problem, type LedgerProblem, type LedgerProblemCode } from './problem.ts';

/** The keys that a header names under their own ids. */
export function keysOf({ keys }: ExportHeader): ReadonlyMap<string, PublicKey> {
  const read = keys.flatMap(({ keyId, publicKey }): [string, PublicKey][] => {
    const key = readPublicKey(publicKey);
    return key === null || key.keyId !== keyId ? [] : [[keyId, key]];
  });
  return new Map(read);
}

/** What is wrong with a row of a selection, whose neighbours may have been left out; null where it is what was sealed. */
export function checkSelected(
  row: LedgerRow,
  { before, keys }: { before: LedgerRow | null; keys: ReadonlyMap<string, PublicKey> },
): LedgerProblem | null {
  if (!isWellFormed(row)) return problem('row_unreadable', row.seq);
  const code = misplaced(row, before) ?? edited(row, readBody(row.body)) ?? wronglySigned(row, keys);
  return code === null ? null : problem(code, row.seq);
}

function misplaced(row: LedgerRow, before: LedgerRow | null): LedgerProblemCode | null {
  if (before === null || row.seq > before.seq + 1) return null;
  const continues = row.seq === before.seq + 1 && row.previousHash === before.hash;
  return continues ? null : 'link_broken';
}

function wronglySigned(row: LedgerRow, keys: ReadonlyMap<string, PublicKey>): LedgerProblemCode | null {
  const key = keys.get(row.keyId);
  if (key === undefined) return 'key_unknown';
  return signatureHolds(row.hash, row.signature, key) ? null : 'signature_wrong';
}
