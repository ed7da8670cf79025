import type { BudgetField } from '../campaign/index.ts';
import { targetingLists } from '../contract/index.ts';

// Separate from the schemas, because the pages use these constants and must not bundle the schema library.

export const budgetColumns = ['d_revenue', 't_revenue'] as const satisfies readonly BudgetField[];

export const findablePricings = ['CPC', 'CPV', 'CPM', 'other'] as const;

/** Max length of a search text in UTF-16 units. No name is longer (contract §2.4). */
export const maxSearchText = 255;

export const maxFound = 10_000;

const needFull = ['runsNow', 'endsWithin', 'noEnd', 'pricing', 'domain', 'member'] as const;

/** True if matching the condition may need the complete campaign. */
export function needsFull({ kind: wanted }: { kind: string }): boolean {
  return needFull.some((kind) => kind === wanted);
}

/** True if full reads may change what the condition matches. */
export function usesFull(condition: { kind: string }): boolean {
  return needsFull(condition) || condition.kind === 'spendsToday';
}

export const findableLists: readonly string[] = [
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
];
