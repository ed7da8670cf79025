import type { LedgerEntry } from '#shared/app-api/index.ts';

/** The ledger as far as it was read, newest first, without gaps. */
export interface EntryList {
  entries: readonly LedgerEntry[];
  total: number;
}

/**
 * The list with its newest page read again. Rows never change once written, so a page that meets the known rows joins
 * them; a page that does not leaves a gap, and the older rows are dropped to be read again.
 */
export function withNewest(
  list: EntryList | null,
  page: { items: readonly LedgerEntry[]; total: number },
): EntryList {
  const { items, total } = page;
  const oldest = items.at(-1)?.seq ?? 0;
  const known = list?.entries ?? [];
  const joins = known.some((entry) => entry.seq >= oldest);
  const older = joins ? known.filter((entry) => entry.seq < oldest) : [];
  return { entries: [...items, ...older], total };
}

/** The list with the page that follows it. */
export function withOlder(
  list: EntryList,
  page: { items: readonly LedgerEntry[]; total: number },
): EntryList {
  const oldest = list.entries.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  return {
    entries: [...list.entries, ...page.items.filter((entry) => entry.seq < oldest)],
    total: page.total,
  };
}

/** True when older rows are still to be read. */
export function hasOlder(list: EntryList): boolean {
  return list.entries.length < list.total;
}
