import type { LedgerEntry } from '#shared/app-api/index.ts';

/** The rows of one change, newest first, or a single row that belongs to no change. */
export interface LedgerStory {
  /** Does not change when rows are added. */
  key: string;
  newest: LedgerEntry;
  rows: readonly LedgerEntry[];
}

export function storiesOf(entries: readonly LedgerEntry[]): LedgerStory[] {
  const groups = Map.groupBy(entries, ({ seq, proposalId }) => proposalId ?? `row ${seq}`);
  return [...groups].flatMap(([key, rows]) => {
    const [newest] = rows;
    return newest === undefined ? [] : [{ key, newest, rows }];
  });
}

const firstKind = 'proposal.proposed';

/** True if older rows of the change are not loaded. The first row of a change is always its proposal. */
export function isCut({ newest, rows }: LedgerStory, hasOlderRows: boolean): boolean {
  return hasOlderRows && newest.proposalId !== null && rows.at(-1)?.kind !== firstKind;
}
