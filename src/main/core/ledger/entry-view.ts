import type { LedgerRow } from '#core/store/app/index.ts';
import { ledgerEntrySchema, type LedgerEntry } from '#shared/app-api/index.ts';
import { readBody } from './verify/introduction.ts';

const { changes: changesSchema, verdicts: verdictsSchema } = ledgerEntrySchema.shape;

/** A row as the pages show it. A body without changes or verdicts, or one that was tampered with, shows none. */
export function entryView(row: LedgerRow): LedgerEntry {
  const { seq, atMs, kind, summary, proposalId, actor, via, hash, previousHash, keyId, body } = row;
  const facts = readBody(body) ?? {};
  const changes = changesSchema.safeParse(facts['changes']).data ?? [];
  const verdicts = verdictsSchema.safeParse(facts['verdicts']).data ?? [];
  return {
    seq,
    atMs,
    kind,
    summary,
    proposalId,
    actor,
    via,
    changes,
    verdicts,
    hash,
    previousHash,
    keyId,
    body,
  };
}
