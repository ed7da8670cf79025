import type { LedgerRow } from '#core/store/app/index.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isMoment } from '#shared/lib/date-text.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { readRestore } from '../entry.ts';
import { noHash, storedRowHash, type PublicKey, readPublicKey, verifiesSignature } from '../signer.ts';

export const keyIntroduced = 'key.introduced';

interface Introduction {
  publicKey: PublicKey;
  previousKeyId: string | null;
  /** True only for the first key: no previous key endorses a later one. */
  endorsed: boolean;
}

export function readIntroduction(row: LedgerRow, body: JsonObject): Introduction | null {
  const { publicKey: text, previousKeyId, endorsed } = body;
  if (row.kind !== keyIntroduced || typeof text !== 'string' || typeof endorsed !== 'boolean') return null;
  if (typeof previousKeyId !== 'string' && previousKeyId !== null) return null;
  const publicKey = readPublicKey(text);
  return publicKey === null || publicKey.keyId !== row.keyId ? null : { publicKey, previousKeyId, endorsed };
}

export function readBody(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export interface Chain {
  rows: number;
  head: string;
  key: PublicKey | null;
  keys: LedgerReport['keys'];
  restores: NonNullable<LedgerReport['restores']>;
}

export function emptyChain(): Chain {
  return { rows: 0, head: noHash, key: null, keys: [], restores: [] };
}

export function verifyNextRow(chain: Chain, row: LedgerRow): { chain: Chain } | { problem: LedgerProblem } {
  const linked = verifyUnsigned(chain, row);
  if ('problem' in linked || verifiesSignature(row.hash, row.signature, linked.key)) return linked;
  return { problem: problem('signature_wrong', row.seq) };
}

/** Checks a row except for its signature, which the caller verifies with the returned `key`. */
export function verifyUnsigned(
  chain: Chain,
  row: LedgerRow,
): { chain: Chain; key: PublicKey } | { problem: LedgerProblem } {
  if (!isWellFormed(row)) return { problem: problem('row_unreadable', row.seq) };
  const body = readBody(row.body);
  const code = placementProblem(chain, row) ?? contentProblem(row, body);
  if (code !== null) return { problem: problem(code, row.seq) };
  const key = signingKey(chain, row, body);
  if (typeof key === 'string') return { problem: problem(key, row.seq) };
  return { chain: extended(chain, row, body), key };
}

export function isWellFormed({ seq, atMs, proposalId, via, ...texts }: LedgerRow): boolean {
  return (
    [seq, atMs].every(Number.isSafeInteger) &&
    isMoment(atMs) &&
    [proposalId, via].every((value) => value === null || typeof value === 'string') &&
    Object.values(texts).every((value) => typeof value === 'string')
  );
}

function placementProblem(chain: Chain, row: LedgerRow): LedgerProblemCode | null {
  if (row.seq > chain.rows + 1) return 'row_missing';
  return row.seq === chain.rows + 1 && row.previousHash === chain.head ? null : 'link_broken';
}

export function contentProblem(row: LedgerRow, body: JsonObject | null): LedgerProblemCode | null {
  if (body === null || !isCanonical(body, row.body)) return 'row_unreadable';
  return storedRowHash(row) === row.hash ? null : 'row_edited';
}

function isCanonical(body: JsonObject, text: string): boolean {
  try {
    return canonicalJson(body) === text;
  } catch {
    // Text with lone surrogates or deep nesting has no canonical form.
    return false;
  }
}

function signingKey(chain: Chain, row: LedgerRow, body: JsonObject | null): PublicKey | LedgerProblemCode {
  const introduction = body && readIntroduction(row, body);
  if (row.kind === keyIntroduced) {
    if (!introduction) return 'key_introduction_wrong';
    if (introduction.previousKeyId !== (chain.key?.keyId ?? null)) return 'key_introduction_wrong';
    if (introduction.endorsed !== (chain.key === null)) return 'key_introduction_wrong';
  }
  const key = introduction?.publicKey ?? chain.key;
  return key === null || key.keyId !== row.keyId ? 'key_unknown' : key;
}

function extended(chain: Chain, row: LedgerRow, body: JsonObject | null): Chain {
  const restore = readRestore(row, body);
  const restores = restore === null ? chain.restores : [...chain.restores, restore];
  const next = { ...chain, rows: row.seq, head: row.hash, restores };
  const introduction = body && readIntroduction(row, body);
  if (!introduction) return next;
  const { publicKey, endorsed } = introduction;
  const key = { keyId: publicKey.keyId, fromSeq: row.seq, endorsed };
  return { ...next, key: publicKey, keys: [...chain.keys, key] };
}

export type LedgerProblem = NonNullable<LedgerReport['problem']>;

/** The codes are stable: never change one. */
const texts = {
  table_altered:
    'The ledger’s table, one of its indexes or a trigger is not the one that Countersign made: the file was altered, and its rows prove nothing.',
  table_damaged: 'The ledger’s table does not agree with its own indexes: the file was damaged or altered.',
  row_missing: 'A row is missing here: it was deleted, or rows were put in another order.',
  link_broken:
    'This row does not continue the row before it: a row was deleted, inserted, moved or replaced.',
  row_unreadable: 'The body of this row is not in its canonical form: it was edited.',
  row_edited: 'The content of this row is not what was sealed: it was edited.',
  key_unknown: 'This row is signed with a key that the ledger has not introduced.',
  key_introduction_wrong: 'This row introduces a key in a way that does not fit the ledger.',
  signature_wrong: 'The signature of this row does not hold: it was not written by Countersign.',
  anchor_missing: 'The anchor is missing, so rows may have been cut off at the end.',
  anchor_unreadable: 'The anchor is damaged or was edited.',
  anchor_key_wrong: 'The anchor is signed with another key than the row it names: it was replaced.',
  anchor_signature_wrong: 'The signature of the anchor does not hold: it was edited.',
  anchor_behind:
    'The anchor is behind by more than a crash explains: it was put back, or could not be written, and rows after it may have been cut off.',
  rows_cut:
    'The anchor names this row, but the table ends before it: rows were cut off, or an old table was restored.',
  rows_rewritten: 'The row that the anchor names has another hash: the rows up to it were rewritten.',
  header_wrong: 'The first line is not the header of a ledger export: it was edited or cut off.',
  rows_uncounted: 'The header names another number of rows than follow it: rows were cut off or added.',
  head_not_found:
    'No row has the hash that was noted elsewhere: the ledger was rewritten or restored from an older copy.',
} as const;

export type LedgerProblemCode = keyof typeof texts;

export function problem(code: LedgerProblemCode, seq: number | null): LedgerProblem {
  return { seq, code, text: texts[code] };
}
