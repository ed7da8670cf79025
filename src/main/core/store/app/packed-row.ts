import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, jsonOrNull, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** A row of the ledger (docs/ledger-format.md). */
export interface LedgerRow {
  seq: number;
  atMs: number;
  kind: string;
  proposalId: string | null;
  actor: string;
  via: string | null;
  summary: string;
  /** The canonical JSON text that was hashed. */
  body: string;
  previousHash: string;
  hash: string;
  keyId: string;
  signature: string;
}

/** A row as stored. `packed` has what its columns lack; the previous row has the previous hash, and an introduction the key. */
export interface StoredLedgerRow extends LedgerRow {
  packed: Buffer | null;
}

export interface FoundLedgerRow extends StoredLedgerRow {
  hashBefore: string | null;
  introducedKeyId: string | null;
}

const hashBytes = 32;
const signedBytes = hashBytes + 64;
const maxTextBytes = 64 * 1024 * 1024;

/** Part of the public format; never edit it. */
const dictionary = Buffer.from(
  [
    '"Withdrawn: Expired: Denied: Done: Outcome unknown: Not found as sent: Refused: ',
    'Suspend Resume Pause Set Switch off Change the daily budget of targeting of campaigns ',
    '["You","desktop","Approved: Raise the bid of “',
    '["Countersign","browser","Shown: Lower the bid of “',
    '["Countersign",null,"About to send: Raise the bid of “',
    '["Countersign",null,"Sent: Raise the bid of “',
    '["Countersign",null,"Saved and verified: Raise the bid of “',
    '",null,"Proposed: Raise the bid of “” from $0.1 to $0.2",{"account":"1","changes":[{"after":"$0.2","before":"$0.1","delta":"+0.1",',
    '"factor":"×1.1","field":"payout","label":"Bid"}],"effect":"stated","fingerprint":"","idempotencyKeyHash":"","operation":"tool.call",',
    '"payloadHash":"","targets":[1],"tool":"svc_commit","toolDefinitionHash":"","answerHash":"","verdictCount":66,"verdicts":[],"verdictsHash":"',
    '” from $0.',
  ].join(''),
);

const compression = { dictionary, windowBits: 12, chunkSize: 1024 };

/** Members that queries read, so they stay in the `body` column. */
const queried: ReadonlySet<string> = new Set(['agent', 'batch', 'profile', 'sinceMs']);

const empty = { actor: '', via: null, summary: '', previousHash: '', hash: '', keyId: '', signature: '' };
const emptyNames = Object.keys(empty) as (keyof typeof empty)[];

/** Returns the row in its shortest form. Does not pack a row that introduces a key, so that queries can find the key in its columns. */
export function packRow(row: LedgerRow): StoredLedgerRow {
  const plain = { ...row, packed: null };
  const body = jsonOrNull(row.body);
  if (row.kind === 'key.introduced' || !isJsonObject(body)) return plain;
  const part = (isQueried: boolean): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([name]) => queried.has(name) === isQueried));
  const text = canonicalJson([row.actor, row.via, row.summary, part(false)]);
  const packed = Buffer.concat([
    Buffer.from(row.hash, 'hex'),
    Buffer.from(row.signature, 'base64url'),
    deflateRawSync(text, { ...compression, level: 9 }),
  ]);
  const stored = { ...row, ...empty, body: canonicalJson(part(true)), packed };
  const back = unpackRow({ ...stored, hashBefore: row.previousHash, introducedKeyId: row.keyId });
  const names = Object.keys(row) as (keyof LedgerRow)[];
  return names.every((name) => back[name] === row[name]) ? stored : plain;
}

/** Returns the row as it was sealed. If unpacking fails, `body` is not JSON, so the row does not verify. */
export function unpackRow({ packed, hashBefore, introducedKeyId, ...row }: FoundLedgerRow): LedgerRow {
  if (packed === null) return row;
  const hash = packed.subarray(0, hashBytes).toString('hex');
  const signature = packed.subarray(hashBytes, signedBytes).toString('base64url');
  const sealed = { previousHash: hashBefore ?? '', hash, keyId: introducedKeyId ?? '', signature };
  const content = emptyNames.every((name) => row[name] === empty[name]) ? contentOf(row.body, packed) : null;
  return { ...row, ...sealed, ...(content ?? { actor: '', via: null, summary: '', body: '' }) };
}

function contentOf(
  body: string,
  packed: Buffer,
): Pick<LedgerRow, 'actor' | 'via' | 'summary' | 'body'> | null {
  try {
    const text = inflateRawSync(packed.subarray(signedBytes), {
      ...compression,
      maxOutputLength: maxTextBytes,
    });
    const [actor, via, summary, rest, ...more] = canonicalValue(text.toString()) as JsonValue[];
    const stored = canonicalValue(body);
    if (typeof actor !== 'string' || typeof summary !== 'string' || more.length > 0) return null;
    if ((via !== null && typeof via !== 'string') || !isJsonObject(rest) || !isJsonObject(stored))
      return null;
    if (Object.keys(rest).some((name) => Object.hasOwn(stored, name))) return null;
    return { actor, via, summary, body: canonicalJson({ ...stored, ...rest }) };
  } catch {
    return null;
  }
}

/** Throws unless the text is in the canonical form of RFC 8785. */
function canonicalValue(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  if (canonicalJson(value) !== text) throw new Error('The text is not canonical');
  return value;
}
