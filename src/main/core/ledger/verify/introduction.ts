import type { LedgerRow } from '#core/store/app/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { readPublicKey, type PublicKey } from '../keys.ts';

/** The kind of a row that introduces a signing key, and is itself signed with it. */
export const keyIntroduced = 'key.introduced';

/** What such a row says. */
export interface Introduction {
  publicKey: PublicKey;
  /** The key before, null for the first. */
  previousKeyId: string | null;
  /** True for the first key. False where the key before could not be opened any more, so that nothing vouches for this one. */
  endorsed: boolean;
}

/** The body of an introducing row; null when it is not one or names no key, or another than the row's own. */
export function readIntroduction(row: LedgerRow, body: JsonObject): Introduction | null {
  const { publicKey: text, previousKeyId, endorsed } = body;
  if (row.kind !== keyIntroduced || typeof text !== 'string' || typeof endorsed !== 'boolean') return null;
  if (typeof previousKeyId !== 'string' && previousKeyId !== null) return null;
  const publicKey = readPublicKey(text);
  return publicKey === null || publicKey.keyId !== row.keyId ? null : { publicKey, previousKeyId, endorsed };
}

/** A stored body as a JSON value; null when the text is no JSON object. */
export function readBody(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
