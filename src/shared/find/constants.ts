import type { BudgetField } from '../campaign/index.ts';
import { targetingLists } from '../contract/index.ts';

// Apart from the schemas: the pages use them and carry no schemas.

/** The budgets of a campaign; rows are judged by the limit in effect. */
export const budgetColumns = ['d_revenue', 't_revenue'] as const satisfies readonly BudgetField[];

/** Units that a bid buys; any other pricing is `other`. */
export const findablePricings = ['CPC', 'CPV', 'CPM', 'other'] as const;

/** The longest text that is searched for, in UTF-16 units: no name is longer (contract §2.4). */
export const maxSearchText = 255;

/** The most campaigns that one condition or one selection names. */
export const maxFound = 10_000;

/** Kinds of conditions by fields that only a campaign in full has; of a domain, a row can decide that it is the website's. */
const needFull = ['runsNow', 'endsWithin', 'noEnd', 'pricing', 'domain', 'member'] as const;

/** True if a campaign may have to be read in full before it can be held against the condition. */
export function needsFull({ kind: wanted }: { kind: string }): boolean {
  return needFull.some((kind) => kind === wanted);
}

/** The lists of targeting that a condition on members may name; a service's own filters are found in what was read. */
export const findableLists: readonly string[] = [
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
];
