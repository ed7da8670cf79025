import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import { anchorHash, type Anchor } from '../anchor/anchor.ts';
import type { FoundAnchor } from '../anchor/anchor-file.ts';
import { signatureHolds, type PublicKey } from '../keys.ts';
import { noHash } from '../row-hash.ts';
import { readBody, readIntroduction } from './introduction.ts';
import { problem, type LedgerProblem } from './problem.ts';

/** The rows as far as an anchor is held against them. */
type AnchoredRows = Pick<LedgerReader, 'count' | 'at' | 'introductions' | 'timesAfter'>;

/**
 * Holds the table against the anchor outside it: the anchor may be behind by the rows of one transaction (a crash between
 * commit and anchor), never ahead, and what it names must be there unchanged. Says nothing about the rows themselves.
 * `latest` is the anchor after the rows were read, where their owner goes on writing.
 */
export function checkAnchor(
  reader: AnchoredRows,
  found: FoundAnchor,
  latest: FoundAnchor = found,
): LedgerProblem | null {
  const rows = reader.count();
  if (found.kind === 'missing') return rows === 0 ? null : problem('anchor_missing', null);
  if (found.kind === 'unreadable') return problem('anchor_unreadable', null);
  const { anchor } = found;
  // An empty ledger has nothing to protect: its anchor is left from a start that ended before the first row.
  if (rows === 0 && anchor.count === 0) return null;
  return checkAgainstRows(reader, anchor) ?? checkLag(reader, latest);
}

/** Rows of one transaction share a time; what an owner wrote in two was anchored in between. */
function checkLag(reader: AnchoredRows, found: FoundAnchor): LedgerProblem | null {
  if (found.kind !== 'found') return null;
  const { count } = found.anchor;
  return reader.timesAfter(count) > 1 ? problem('anchor_behind', count + 1) : null;
}

function checkAgainstRows(reader: AnchoredRows, anchor: Anchor): LedgerProblem | null {
  const { count, head, keyId, signature } = anchor;
  // An anchor of no rows was signed with the key that the first row introduces.
  const row = reader.at(Math.max(count, 1));
  if (row === null) return problem('rows_cut', count);
  if (head !== (count === 0 ? noHash : row.hash)) return problem('rows_rewritten', count);
  const key = row.keyId === keyId ? introducedKey(reader.introductions(), keyId) : null;
  if (key === null) return problem('anchor_key_wrong', count);
  return signatureHolds(anchorHash(anchor), signature, key) ? null : problem('anchor_signature_wrong', count);
}

/** The public key that a row of the ledger introduces under this id; null where none does. */
function introducedKey(introductions: LedgerRow[], keyId: string): PublicKey | null {
  const row = introductions.find((candidate) => candidate.keyId === keyId);
  const body = row && readBody(row.body);
  return (row && body && readIntroduction(row, body)?.publicKey) ?? null;
}
