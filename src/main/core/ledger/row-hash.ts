import { createHash } from 'node:crypto';
import type { LedgerRow } from '#core/store/app/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** Content that a row's hash covers; `body` as a JSON value (docs/ledger-format.md). */
export interface HashedRow extends Pick<
  LedgerRow,
  'seq' | 'atMs' | 'kind' | 'proposalId' | 'actor' | 'via' | 'summary' | 'previousHash'
> {
  body: JsonObject;
}

/** The hash before the first row, and the head of an empty ledger. */
export const noHash = '0'.repeat(64);

/** True for a text that is a hash by its form. */
export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** SHA-256 over the RFC 8785 form of the row's content: 64 hexadecimal digits. */
export function rowHash(row: HashedRow): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  return sha256(canonicalJson({ seq, atMs, kind, proposalId, actor, via, summary, body, previousHash }));
}

/** Like {@link rowHash}, for a row whose body is known to be in the canonical form: the body is not written again. */
export function storedRowHash(row: Omit<HashedRow, 'body'> & { body: string }): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  const text = canonicalJson({ seq, atMs, kind, proposalId, actor, via, summary, body: 0, previousHash });
  // No other member has this text: in a string its quotation marks would be escaped.
  return sha256(text.replace(',"body":0,', () => `,"body":${body},`));
}

/** SHA-256 of text in UTF-8 or of bytes: 64 hexadecimal digits. */
export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
