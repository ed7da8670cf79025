import type { BudgetField } from '../campaign/index.ts';
import { targetingLists } from '../contract/index.ts';

// Apart from the schemas: the pages use them and carry no schemas.

export const budgetColumns = ['d_revenue', 't_revenue'] as const satisfies readonly BudgetField[];

export const findablePricings = ['CPC', 'CPV', 'CPM', 'other'] as const;

/** The longest text that is searched for, in UTF-16 units: no name is longer (contract §2.4). */
export const maxSearchText = 255;

export const maxFound = 10_000;

const needFull = ['runsNow', 'endsWithin', 'noEnd', 'pricing', 'domain', 'member'] as const;

/** True if a campaign may have to be read in full before it can be held against the condition. */
export function needsFull({ kind: wanted }: { kind: string }): boolean {
  return needFull.some((kind) => kind === wanted);
}

export const findableLists: readonly string[] = [
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
];
