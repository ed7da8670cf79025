import type { LedgerRow } from '#core/store/app/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { rowHash } from './row-hash.ts';
import type { Signer } from './signer.ts';
import type { Sentence } from '#shared/lib/sentence.ts';

/** An entry that a part of the program adds to the ledger. */
export interface NewEntry {
  /** For example `proposal.approved`. */
  kind: string;
  proposalId: string | null;
  /** Actor: `You`, an agent's name as a quotation, or `Countersign`. */
  actor: string;
  /** Place of a decision; null if no decision was made. */
  via: string | null;
  /** The row in one sentence. */
  summary: Sentence;
  /** The facts. `changes` and `verdicts`, where present, are shown with the entry. */
  body: JsonObject;
}

/** Position of a row in the chain. */
export interface ChainPlace {
  seq: number;
  atMs: number;
  previousHash: string;
}

/** Makes the signed row of an entry at its place. */
export function sealEntry(entry: NewEntry, place: ChainPlace, signer: Signer): LedgerRow {
  const { kind, proposalId, actor, via, summary, body } = entry;
  const hash = rowHash({ ...place, kind, proposalId, actor, via, summary, body });
  return {
    ...place,
    kind,
    proposalId,
    actor,
    via,
    summary,
    body: canonicalJson(body),
    hash,
    keyId: signer.publicKey.keyId,
    signature: signer.sign(hash),
  };
}
