import type { LedgerEntry } from '#shared/app-api/index.ts';

/** The rows of one change, newest first, or one row that is about no change. */
export interface LedgerStory {
  /** Stable while rows are added. */
  key: string;
  newest: LedgerEntry;
  rows: readonly LedgerEntry[];
}

/** Groups rows, newest first, by their change. A story stands where its newest row does. */
export function storiesOf(entries: readonly LedgerEntry[]): LedgerStory[] {
  const groups = Map.groupBy(entries, ({ seq, proposalId }) => proposalId ?? `row ${seq}`);
  return [...groups].flatMap(([key, rows]) => {
    const [newest] = rows;
    return newest === undefined ? [] : [{ key, newest, rows }];
  });
}

const firstKind = 'proposal.proposed';

/** True if rows of the story are still to be read: those of a change begin with its proposal. */
export function isCut({ newest, rows }: LedgerStory, hasOlderRows: boolean): boolean {
  return hasOlderRows && newest.proposalId !== null && rows.at(-1)?.kind !== firstKind;
}
