import type { LedgerRow } from '#core/store/app/index.ts';
import { changesInRowSchema, ledgerEntrySchema, type LedgerEntry } from '#shared/app-api/index.ts';
import { readBody } from './verify/introduction.ts';

const { verdicts: verdictsSchema, verdictCount } = ledgerEntrySchema.shape;

/** A row as it is listed: its profile by its id alone. */
export interface ListedEntry extends Omit<LedgerEntry, 'profile'> {
  /** Null for a row about Countersign itself. */
  profileId: string | null;
}

/** A row as the pages show it. A body without changes or verdicts, or one that was tampered with, shows none. */
export function entryView({ signature: _signature, ...row }: LedgerRow): ListedEntry {
  const facts = readBody(row.body) ?? {};
  const { profile } = facts;
  return {
    ...row,
    profileId: typeof profile === 'string' ? profile : null,
    changes: changesInRowSchema.safeParse(facts['changes']).data ?? [],
    verdicts: verdictsSchema.safeParse(facts['verdicts']).data ?? [],
    verdictCount: verdictCount.safeParse(facts['verdictCount']).data ?? null,
  };
}
