import type { ProposalView } from '#shared/app-api/index.ts';

type Pair = ProposalView['risk']['perDay'];

/**
 * Money that nobody can tell reads “Unknown” and never `$0.00`. Where it is summed or limited it counts as nothing before and as
 * without a limit afterwards, which is the most that a call could do.
 */
export const unknownMoney: Pair = {
  before: { text: 'Unknown', unlimited: false, micros: '0' },
  after: { text: 'Unknown', unlimited: true, micros: '' },
};

export const moneyNote =
  'What this call does is not known, so the money at risk after it is not known either.';
