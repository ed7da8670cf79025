import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import type { LedgerRow } from '#core/store/app/index.ts';
import { type JsonObject, isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { rowHash, type Signer, isHash } from './signer.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface NewEntry {
  kind: string;
  proposalId: string | null;
  /** `You`, the quoted name of an agent, or `Countersign`. */
  actor: string;
  via: string | null;
  summary: Sentence;
  /** The page shows `changes` and `verdicts` with the entry. */
  body: JsonObject;
}

export function entryBy(
  actor: 'You' | 'Countersign',
  { kind, summary, body }: Pick<NewEntry, 'kind' | 'summary' | 'body'>,
): NewEntry {
  return { kind, proposalId: null, actor, via: null, summary, body };
}

interface ChainPlace {
  seq: number;
  atMs: number;
  previousHash: string;
}

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

const ledgerRestored = 'ledger.restored';

interface LedgerEnd {
  count: number;
  head: string;
}

export interface RestoredFrom {
  previous: LedgerEnd | null;
  backup: LedgerEnd & { madeAtMs: number; version: string };
  replaced: string;
}

export function restoredEntry({ previous, backup, replaced }: RestoredFrom): NewEntry {
  const made = `${new Date(backup.madeAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const before =
    previous === null
      ? 'the ledger before could not be read'
      : `the ledger before had ${defaultFormats.counted(previous.count, 'row')} and ended with ${previous.head.slice(0, 12)}`;
  return {
    kind: ledgerRestored,
    proposalId: null,
    actor: 'You',
    via: null,
    summary: sentence`Restored a backup of ${ownWords(made)}; ${ownWords(before)}`,
    body: { previous: previous && { ...previous }, backup: { ...backup }, replaced },
  };
}

type Restore = NonNullable<LedgerReport['restores']>[number];

export function readRestore({ kind, seq, atMs }: LedgerRow, body: JsonObject | null): Restore | null {
  if (kind !== ledgerRestored || body === null) return null;
  return { seq, atMs, previous: readEnd(body['previous']) };
}

function readEnd(value: JsonValue | undefined): LedgerEnd | null {
  if (!isJsonObject(value)) return null;
  const { count, head } = value;
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  return isCount && isHash(head) ? { count, head } : null;
}
